import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import type { BeadRow } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { duration, when } from '../../base/format.ts';
import { Below, Heading } from '../../base/headings.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { Fold } from '../shared/Fold.tsx';
import type { Activity } from '../shared/lists.ts';
import { useOpenParts } from '../shared/opened.ts';
import type { Tools } from '../shared/parts.tsx';

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
  readonly page: Tools;
}

/** Leads to the work on each bead. */
export function BeadList({ beads, activity, page }: BeadListProps) {
  const parts = useOpenParts(page.viewState, 'work-beads', null);
  const done = beads.filter(({ status }) => status === 'done').length;
  const doing = activity.findLast(
    ({ hint }) => hint.kind === 'tool' || hint.kind === 'command' || hint.kind === 'retry',
  )?.hint;
  return (
    <section aria-labelledby="beads">
      <Heading id="beads">{l10n.t('Beads')}</Heading>
      <progress max={beads.length} value={done} aria-label={l10n.t('Beads done')} />
      <Below>
        <ol class="rows">
          {beads.map((bead, index) => (
            <li
              key={bead.id}
              class={`work-bead work-bead-${bead.status}`}
              aria-current={bead.status === 'in_progress' ? 'step' : undefined}
            >
              <Icon name={beadIcons[bead.status]} />
              <div class="grow">
                <Fold
                  list="work-beads"
                  part={bead.id}
                  parts={parts}
                  title={
                    <span class="grow">
                      <span class="unseen">{bead.label}: </span>
                      <span class="quiet">{l10n.t('{0}/{1}', index + 1, beads.length)}</span> {bead.title}
                    </span>
                  }
                  summary={stateOf(bead)}
                >
                  {() => <BeadWork bead={bead} page={page} />}
                </Fold>
                {bead.status === 'in_progress' && doing && <div class="doing code">{doing.text}</div>}
              </div>
            </li>
          ))}
        </ol>
      </Below>
    </section>
  );
}

function BeadWork({ bead, page }: { readonly bead: BeadRow; readonly page: Tools }) {
  const showing = useRequest(page, 'open');
  const { id, title, diff, hasEvidence } = bead;
  return (
    <>
      {diff === null && !hasEvidence && <p class="quiet">{l10n.t('Nothing was kept of it yet.')}</p>}
      <div class="row">
        {diff !== null && (
          <Button
            secondary
            icon="diff"
            label={l10n.t('Show Changes: {0}', title)}
            onClick={() => void showing.send({ command: 'showDiff', bead: id })}
          >
            {l10n.t('Show Changes')}
          </Button>
        )}
        {hasEvidence && (
          <Button
            secondary
            icon="beaker"
            label={l10n.t('Show Evidence: {0}', title)}
            onClick={() => void showing.send({ command: 'showEvidence', bead: id })}
          >
            {l10n.t('Show Evidence')}
          </Button>
        )}
      </div>
      <Failure of={showing} />
    </>
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
