import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { ContextRow } from '../../../src/protocol/pages/reviews.ts';
import type { BeadRow, FailedAttempt } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { duration, when } from '../../base/format.ts';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import type { Activity } from '../shared/lists.ts';
import {
  DiffButton,
  Empty,
  FailedTests,
  Loading,
  LongText,
  RunButton,
  type TicketProps,
  type Tools,
  useLoaded,
} from '../shared/parts.tsx';
import { Transcript } from '../work/Transcript.tsx';
import { Talk } from './LiveActivity.tsx';
import { QaChecklist } from './QaChecklist.tsx';

interface OverviewProps extends TicketProps {
  readonly activity: readonly Activity[];
}

export function Overview({ state, page, canAct, activity }: OverviewProps) {
  const { qa, beads, head } = state;
  const failures = state.hasFailures && <FailedAttempts page={page} stamp={state.stamp} />;
  return (
    <>
      {qa && <QaChecklist key={qa.round} checklist={qa} page={page} canAct={canAct} />}
      {state.talk && (
        <Talk
          talk={state.talk}
          activity={activity}
          found={beads.find(({ id }) => id === state.talk?.bead)?.findings.total ?? 0}
        />
      )}
      <Transcript state={state} page={page} canAct={canAct} />
      <Context entries={state.context} canSteer={canAct && state.canSteer} page={page} />
      {/* What blocks the ticket is what a person came for. */}
      {state.error && failures}
      {beads.length > 0 && <BeadList beads={beads} activity={activity} />}
      {!state.error && failures}
      <section aria-labelledby="about">
        <h2 id="about">{l10n.t('Description')}</h2>
        {head.description === '' ? (
          <Empty text={l10n.t('No description.')} />
        ) : (
          <div class="plain">{head.description}</div>
        )}
      </section>
    </>
  );
}

interface ContextProps {
  /** Newest first. */
  readonly entries: readonly ContextRow[];
  /** A person can change entries at all. */
  readonly canSteer: boolean;
  readonly page: Tools;
}

function Context({ entries, canSteer, page }: ContextProps) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="context">
      <h2 id="context">{l10n.t('Context')}</h2>
      <ul class="rows">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} canWithdraw={canSteer && entry.isEditable} page={page} />
        ))}
      </ul>
      {canSteer && entries.some(({ isEditable }) => isEditable) && (
        <div class="actions">
          <RunButton command="editContext" icon="edit" page={page}>
            {l10n.t('Edit Context…')}
          </RunButton>
        </div>
      )}
    </section>
  );
}

const contextIcons: Readonly<Record<ContextRow['state'], string>> = {
  queued: 'inbox',
  delivered: 'comment',
  acknowledged: 'pass',
  consumed: 'check',
  withdrawn: 'circle-slash',
};

function Entry({
  entry,
  canWithdraw,
  page,
}: {
  readonly entry: ContextRow;
  readonly canWithdraw: boolean;
  readonly page: Tools;
}) {
  const withdrawing = useRequest(page, 'act');
  const { id, text, author, mode, state, label, at, where } = entry;
  return (
    <li>
      <Icon name={contextIcons[state]} />
      <div class="grow">
        <div class="row">
          <div class="grow">
            <div class="plain">{text}</div>
            <div class="quiet">{[label, mode, author, when(at), ...where].join(' · ')}</div>
          </div>
          {canWithdraw && (
            <Button
              secondary
              icon="discard"
              label={l10n.t('Withdraw: {0}', text.slice(0, 80))}
              disabled={withdrawing.isBusy || withdrawing.isFiled}
              onClick={() =>
                void withdrawing.tell(filed('withdraw_context', { entry: id }), l10n.t('Withdrawn.'))
              }
            >
              {l10n.t('Withdraw')}
            </Button>
          )}
        </div>
        <Filed isShown={withdrawing.isFiled} />
        <Failure of={withdrawing} />
      </div>
    </li>
  );
}

const beadIcons: Readonly<Record<BeadRow['status'], string>> = {
  pending: 'circle-outline',
  in_progress: 'sync',
  done: 'pass-filled',
  error: 'error',
  skipped: 'circle-slash',
};

interface BeadListProps {
  readonly beads: readonly BeadRow[];
  readonly activity: readonly Activity[];
}

function BeadList({ beads, activity }: BeadListProps) {
  const done = beads.filter(({ status }) => status === 'done').length;
  const doing = activity.findLast(
    ({ hint }) => hint.kind === 'tool' || hint.kind === 'command' || hint.kind === 'retry',
  )?.hint;
  return (
    <section aria-labelledby="beads">
      <h2 id="beads">{l10n.t('Beads: {0} of {1} done', done, beads.length)}</h2>
      <progress max={beads.length} value={done} aria-label={l10n.t('Beads done')} />
      <ol class="rows">
        {beads.map((bead, index) => (
          <li
            key={bead.id}
            class={`bead bead-${bead.status}`}
            aria-current={bead.status === 'in_progress' ? 'step' : undefined}
          >
            <Icon name={beadIcons[bead.status]} />
            <div class="grow">
              <div>
                <span class="quiet">{l10n.t('{0}/{1}', index + 1, beads.length)}</span> {bead.title}{' '}
                <span class="quiet code">{bead.id}</span>
              </div>
              <div class="quiet">{stateOf(bead)}</div>
              {bead.status === 'in_progress' && doing && <div class="doing code">{doing.text}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stateOf(bead: BeadRow): string {
  const { status, label, iteration, startedAt, completedAt, stage, review, blockedBy } = bead;
  const facts = [label];
  if (status !== 'pending') facts.push(l10n.t('iteration {0}', iteration));
  if (status === 'in_progress' && startedAt !== null) facts.push(l10n.t('since {0}', when(startedAt)));
  if (stage !== null) facts.push(stage);
  if (status === 'done' && startedAt !== null && completedAt !== null)
    facts.push(duration(completedAt - startedAt));
  facts.push(findingsText(bead));
  if (review?.verdict === 'accepted' && review.isPresent) facts.push(l10n.t('accepted by you'));
  if (status === 'pending' && blockedBy.length > 0) facts.push(l10n.t('after {0}', blockedBy.join(', ')));
  return joined([...facts, ended(bead)]);
}

function findingsText({ findings: { total, open, fixed } }: BeadRow): string {
  if (total === 0) return '';
  const all = total === 1 ? l10n.t('1 finding') : l10n.t('{0} findings', total);
  const parts = [
    open === 0 ? '' : l10n.t('{0} to be fixed', open),
    fixed === 0 ? '' : l10n.t('{0} fixed', fixed),
  ];
  return joined([all, ...parts], ', ');
}

/** Iterations that came to nothing. */
function ended({ ended: iterations }: BeadRow): string {
  const rejected = iterations
    .filter(({ exit }) => exit !== 'accepted')
    .map(({ iteration }) => String(iteration));
  return rejected.length === 0 ? '' : l10n.t('rejected iterations: {0}', rejected.join(', '));
}

function FailedAttempts({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const { value, failure } = useLoaded(page, 'failures', {}, stamp);
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">{l10n.t('Failed attempts')}</h2>
      {!value && <Loading failure={failure} />}
      <ul class="rows">
        {value?.failures.map((attempt, index) => (
          // Numbers start again with each retry.
          <Attempt
            key={`${attempt.name} ${String(value.failures.length - index)}`}
            attempt={attempt}
            page={page}
          />
        ))}
      </ul>
    </section>
  );
}

function Attempt({ attempt, page }: { readonly attempt: FailedAttempt; readonly page: Tools }) {
  const { name, bead, iteration, reason, advice, tests, output, note, ref } = attempt;
  return (
    <li class="attempt">
      <Icon name="warning" />
      <details class="grow">
        <summary>
          <span class="quiet">{name}:</span> <span class="wrap">{reason}</span>
        </summary>
        {advice !== '' && <p>{advice}</p>}
        <FailedTests tests={tests} />
        {output !== '' && <LongText label={l10n.t('Details of {0}', name)} text={output} />}
        {note !== '' && (
          <>
            <h3>{l10n.t('Note for the next attempt')}</h3>
            <LongText label={l10n.t('Note of {0}', name)} text={note} />
          </>
        )}
        {ref !== '' && (
          <p class="quiet wrap">
            {l10n.t('Its changes are kept under')} <span class="code">{ref}</span>
          </p>
        )}
      </details>
      {bead !== null && ref !== '' && <DiffButton bead={bead} iteration={iteration} page={page} />}
    </li>
  );
}
