import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { FailedBead } from './FailedBead.tsx';
import { Actions } from './Actions.tsx';
import { FailedTests } from '../shared/FailedTests.tsx';
import { LongText } from '../shared/LongText.tsx';
import type { Tools } from '../shared/tools.ts';

interface BlockedProps {
  readonly error: NonNullable<TicketState['error']>;
  readonly offers: TicketState['actions'];
  readonly page: Tools;
  readonly canAct: boolean;
}

/** Why the ticket stopped, and every way to continue. */
export function Blocked({ error, offers, page, canAct }: BlockedProps) {
  const { send, failure, dismiss, isBusy, isFiled } = useRequest(page, 'retry');
  const raising = useRequest(page, 'run');
  // A limit that is raised is changed by the button of its own.
  const canRetry = offers.some(({ name }) => name === 'retry');
  // What can continue where it stopped does so first: a retry begins the status again.
  const canContinue = error.raise === null && error.failed === null && offers.some(({ name }) => name === 'continue');
  const rest = offers.filter(({ name }) => (error.raise === null || name !== 'changeLimits') && (!canContinue || name !== 'continue'));
  // Of a paused ticket the ways to continue or end it stand together, in front of what steers it.
  const leads = (name: string): boolean => error.isPaused && (name === 'resume' || name === 'cancel');
  const others = rest.toSorted((a, b) => Number(leads(b.name)) - Number(leads(a.name)));
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
          {error.raise !== null || canRetry || canContinue ? (
            <>
              {error.raise && (
                <Button
                  secondary={error.failed !== null}
                  disabled={raising.isBusy}
                  icon="dashboard"
                  onClick={() => void raising.send({ command: 'changeLimits' })}
                >
                  {error.raise === 'retry' ? l10n.t('Raise the Limit and Retry…') : l10n.t('Raise the Limit and Continue…')}
                </Button>
              )}
              {canContinue && (
                <Button disabled={raising.isBusy} icon="debug-continue" onClick={() => void raising.send({ command: 'continue' })}>
                  {l10n.t('Continue')}
                </Button>
              )}
              {canRetry && (
                <Button
                  secondary={canContinue || error.raise !== null || error.failed !== null}
                  disabled={isBusy || isFiled}
                  icon="refresh"
                  onClick={() => void send({})}
                >
                  {l10n.t('Retry')}
                </Button>
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
