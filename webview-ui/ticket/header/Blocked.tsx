import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon, IconButton } from '../../base/elements.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { FailedBead } from './FailedBead.tsx';
import { Actions } from './Actions.tsx';
import { FailedTests } from '../shared/FailedTests.tsx';
import { LongText } from '../shared/LongText.tsx';
import type { Tools } from '../shared/tools.ts';
import { waysOn } from './waysOn.ts';

interface BlockedProps {
  readonly error: NonNullable<TicketState['error']>;
  readonly offers: TicketState['actions'];
  readonly page: Tools;
  readonly canAct: boolean;
}

/** Shows why the ticket stopped, and every way to continue. */
export function Blocked({ error, offers, page, canAct }: BlockedProps) {
  const { send, failure, dismiss, isBusy, isFiled } = useRequest(page, 'retry');
  const raising = useRequest(page, 'run');
  const { canContinue, retry, others } = waysOn(error, offers);
  return (
    <section class={`card ${error.isPaused ? 'paused' : 'blocked'}`} aria-labelledby="blocked">
      <h2 id="blocked">
        <Icon name={error.isPaused ? 'debug-pause' : 'error'} />{' '}
        {error.isPaused ? l10n.t('This ticket is paused by a limit') : l10n.t('This ticket is blocked')}
      </h2>
      <p>{error.message}</p>
      <FailedTests tests={error.tests} />
      {error.output !== '' && <LongText label={l10n.t('Details')} text={error.output} />}
      <p>
        <strong>{l10n.t('Next step:')}</strong> {error.nextStep}
      </p>
      <p class="quiet code">{error.code}</p>
      {error.failed && <FailedBead failed={error.failed} page={page} canAct={canAct} />}
      {canAct && (
        <Actions offers={others} page={page}>
          {error.raise !== null || retry || canContinue ? (
            <>
              {error.raise && (
                <Button
                  secondary={error.failed !== null}
                  disabled={raising.isBusy}
                  icon="dashboard"
                  onClick={() => void raising.send({ command: 'changeLimits' })}
                >
                  {error.raise === 'retry'
                    ? l10n.t('Raise the Limit and Retry…')
                    : l10n.t('Raise the Limit and Continue…')}
                </Button>
              )}
              {canContinue && (
                <Button
                  disabled={raising.isBusy}
                  icon="debug-continue"
                  onClick={() => void raising.send({ command: 'continue' })}
                >
                  {l10n.t('Continue')}
                </Button>
              )}
              {retry && (
                <>
                  <Button
                    secondary={canContinue || error.raise !== null || error.failed !== null}
                    disabled={isBusy || isFiled}
                    icon="refresh"
                    onClick={() => void send({})}
                  >
                    {l10n.t('Retry')}
                  </Button>
                  <IconButton
                    icon="comment"
                    label={retry.label}
                    disabled={raising.isBusy || isFiled}
                    onClick={() => void raising.send({ command: 'retry' })}
                  />
                </>
              )}
            </>
          ) : null}
        </Actions>
      )}
      <Filed isShown={isFiled} />
      <Failure failure={failure} onDismiss={dismiss} />
      <Failure failure={raising.failure} onDismiss={raising.dismiss} />
      {error.diagnostics !== '' && (
        <details>
          <summary>{l10n.t('Diagnostics')}</summary>
          <LongText label={l10n.t('Diagnostics')} text={error.diagnostics} />
        </details>
      )}
    </section>
  );
}
