import * as l10n from '@vscode/l10n';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { FailedBeadRow } from '../../../src/protocol/pages/reviews.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon, IconButton, PlainItems } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import type { OpenParts } from '../shared/opened.ts';
import { type Acting, FailedTests, LongText } from '../shared/parts.tsx';
import { Actions } from './Actions.tsx';
import { waysOn } from './waysOn.ts';

interface BlockedProps extends Acting {
  readonly error: NonNullable<TicketState['error']>;
  readonly offers: TicketState['actions'];
  readonly parts: OpenParts;
}

/** The error's code and diagnostics are among the details. */
export function Blocked({ error, offers, page, canAct, parts }: BlockedProps) {
  const retrying = useRequest(page, 'act');
  const raising = useRequest(page, 'run');
  const { canContinue, retry, isRetryChosen, others } = waysOn(error, offers);
  // Only a proposal has a button that stands out.
  const isProposed = error.failed !== null && hasProposal(error.failed);
  return (
    <section class={error.isPaused ? 'paused' : 'blocked'} aria-labelledby="blocked">
      <Heading id="blocked">
        <Icon name={error.isPaused ? 'debug-pause' : 'error'} />{' '}
        {error.isPaused ? l10n.t('This ticket is paused by a limit') : l10n.t('This ticket is blocked')}
      </Heading>
      <p>{error.message}</p>
      <FailedTests tests={error.tests} />
      {error.output !== '' && <LongText label={l10n.t('Details')} text={error.output} />}
      <p>
        <strong>{l10n.t('Next step:')}</strong> {error.nextStep}
      </p>
      {error.failed && <FailedBead failed={error.failed} page={page} canAct={canAct} />}
      {canAct && (
        <Actions offers={others} page={page} parts={parts}>
          {error.raise !== null || retry || canContinue ? (
            <>
              {error.raise && (
                <Button
                  secondary={isProposed}
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
              {retry && isRetryChosen && (
                <Button
                  secondary
                  icon="comment"
                  disabled={raising.isBusy}
                  onClick={() => void raising.send({ command: 'retry' })}
                >
                  {retry.label}
                </Button>
              )}
              {retry && !isRetryChosen && (
                <>
                  <Button
                    secondary={canContinue || error.raise !== null || isProposed}
                    disabled={retrying.isBusy || retrying.isFiled}
                    icon="refresh"
                    onClick={() => void retrying.send(filed('retry', { note: '' }))}
                  >
                    {l10n.t('Retry')}
                  </Button>
                  <IconButton
                    icon="comment"
                    label={retry.label}
                    disabled={raising.isBusy || retrying.isFiled}
                    onClick={() => void raising.send({ command: 'retry' })}
                  />
                </>
              )}
            </>
          ) : null}
        </Actions>
      )}
      <Filed isShown={retrying.isFiled} />
      <Failure of={retrying} />
      <Failure of={raising} />
    </section>
  );
}

function hasProposal({ analysis, proposed }: FailedBeadRow): boolean {
  return analysis !== null || proposed.length > 0;
}

interface FailedBeadProps extends Acting {
  readonly failed: FailedBeadRow;
}

function FailedBead({ failed, page, canAct }: FailedBeadProps) {
  const deciding = useRequest(page, 'act');
  const { bead, analysis, proposed, sha256, choices } = failed;
  const decide = (choice: (typeof choices)[number]['choice']): void => {
    const body =
      choice === 'approve'
        ? { bead, choice, sha256: sha256 ?? '', reason: '' }
        : { bead, choice, reason: '' };
    void deciding.tell(filed('follow_analysis', body), l10n.t('Sent.'));
  };
  return (
    <section aria-labelledby="failed-bead">
      <Heading below={1} id="failed-bead">
        {analysis ? l10n.t('Failure analysis of {0}', bead) : l10n.t('What should happen to {0}?', bead)}
      </Heading>
      {analysis && (
        <>
          <p class="plain">{analysis.rootCause}</p>
          <p>
            <strong>{l10n.t('Recommendation: {0}', analysis.label)}</strong>{' '}
            <span class="quiet">{l10n.t('confidence {0} %', Math.round(analysis.confidence * 100))}</span>
          </p>
          <p class="plain">{analysis.rationale}</p>
          {analysis.plan.length > 0 && (
            <ol>
              <PlainItems of={analysis.plan} />
            </ol>
          )}
        </>
      )}
      {proposed.length > 0 && (
        <>
          <p>{l10n.t('Proposed replacement:')}</p>
          <ul>
            {proposed.map(({ id, title }) => (
              <li key={id} class="plain">
                {title} <span class="quiet code">{id}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {canAct && (
        <div class="row">
          {choices.map(({ choice, label, icon }, index) => (
            <Button
              key={choice}
              secondary={index > 0 || !hasProposal(failed)}
              icon={icon}
              disabled={deciding.isBusy || deciding.isFiled}
              onClick={() => decide(choice)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <Filed isShown={deciding.isFiled} />
      <Failure of={deciding} />
    </section>
  );
}
