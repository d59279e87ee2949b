import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { FailedBeadRow } from '../../../src/protocol/pages/reviews.ts';
import type { Offer, TicketState } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon, IconButton, PlainItems } from '../../base/elements.tsx';
import { when } from '../../base/format.ts';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { type Acting, FailedTests, LongText, type TicketProps, type Tools } from '../shared/parts.tsx';
import { waysOn } from './waysOn.ts';

const icons: Readonly<Record<TicketState['head']['mood'], string>> = {
  draft: 'circle-outline',
  working: 'loading',
  waiting: 'bell',
  blocked: 'error',
  done: 'pass',
  canceled: 'circle-slash',
};

export function Header({ state, page, canAct }: TicketProps) {
  const { head, error, actions } = state;
  return (
    <header class="head">
      <h1>
        <span class="quiet">{head.id}</span> {head.title}
      </h1>
      <p class={`status status-${head.mood}`}>
        <Icon name={icons[head.mood]} spin={head.mood === 'working' && !head.hold} /> {head.label}
        {head.hold && (
          <span class="hold">
            <Icon name={head.hold.until === null ? 'debug-pause' : 'watch'} />{' '}
            {l10n.t('{0} since {1}.', head.hold.name, when(head.hold.since))}{' '}
            {head.hold.until !== null && l10n.t('Continues at {0}.', when(head.hold.until))}{' '}
            {/* What an agent asks stands below, whole. */}
            {state.requests.length === 0 && !error?.isPaused && head.hold.detail}
          </span>
        )}
      </p>
      {head.isLoop && (
        <p class="quiet">
          <Icon name="sync" /> {l10n.t('Loop: its description is the prompt, and no model plans it.')}
        </p>
      )}
      <dl class="facts">
        {head.facts.map(({ name, label, text, at, isCode }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd class={isCode ? 'code wrap' : 'wrap'}>{text ?? when(at ?? 0)}</dd>
          </div>
        ))}
      </dl>
      {head.unsandboxed !== '' && (
        <p class="unsandboxed">
          <Icon name="shield" /> <span>{head.unsandboxed}</span>
        </p>
      )}
      {[...head.nearCaps, ...head.cacheMisses].map((text) => (
        <p class="unsandboxed" key={text}>
          <Icon name="warning" /> <span>{text}</span>
        </p>
      ))}
      {error && <Blocked error={error} offers={actions} page={page} canAct={canAct} />}
      {canAct && !error && <Actions offers={actions} page={page} />}
    </header>
  );
}

interface BlockedProps extends Acting {
  readonly error: NonNullable<TicketState['error']>;
  readonly offers: TicketState['actions'];
}

function Blocked({ error, offers, page, canAct }: BlockedProps) {
  const retrying = useRequest(page, 'act');
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
      {error.diagnostics !== '' && (
        <details>
          <summary>{l10n.t('Diagnostics')}</summary>
          <LongText label={l10n.t('Diagnostics')} text={error.diagnostics} />
        </details>
      )}
    </section>
  );
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
      <h3 id="failed-bead">
        {analysis ? l10n.t('Failure analysis of {0}', bead) : l10n.t('What should happen to {0}?', bead)}
      </h3>
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
              secondary={index > 0 || (!analysis && proposed.length === 0)}
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

/** The commands that move a ticket on. All others steer it, and are never what a person came for. */
const leading = [
  'start',
  'answer',
  'openInterview',
  'approve',
  'qa',
  'reviewChanges',
  'merge',
  'retry',
  'continue',
  'resume',
  'decideFailedBead',
];

interface ActionsProps {
  readonly offers: readonly Offer[];
  readonly page: Tools;
  /** Stands in front of them and stands out. */
  readonly children?: ComponentChildren;
}

/** The first that leads on stands out. */
function Actions({ offers, page, children }: ActionsProps) {
  const running = useRequest(page, 'run');
  const primary = children ? undefined : offers.find(({ name }) => leading.includes(name))?.name;
  if (offers.length === 0 && !children) return null;
  // What leads on comes first, whatever place it has in the table of commands.
  const ordered = offers.toSorted((a, b) => Number(b.name === primary) - Number(a.name === primary));
  return (
    <>
      <div class="actions" role="group" aria-label={l10n.t('Available actions')}>
        {children}
        {ordered.map(({ name, label, detail, icon }) => (
          <span key={name} title={detail}>
            <Button
              secondary={name !== primary}
              disabled={running.isBusy}
              icon={icon}
              onClick={() => void running.send({ command: name })}
            >
              {label}
            </Button>
          </span>
        ))}
      </div>
      <Failure of={running} />
    </>
  );
}
