import * as l10n from '@vscode/l10n';
import type { BeadRow } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import type { Activity } from './activity.ts';
import { duration, when } from '../../base/format.ts';

const icons: Readonly<Record<BeadRow['status'], string>> = {
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

/** The plan, in its order, with how far each bead is; of the one in work, what it does and since when. */
export function BeadList({ beads, activity }: BeadListProps) {
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
            <Icon name={icons[bead.status]} />
            <div class="grow">
              <div>
                <span class="quiet">{l10n.t('{0}/{1}', index + 1, beads.length)}</span> {bead.title}{' '}
                <span class="quiet code">{bead.id}</span>
              </div>
              <div class="quiet">
                {bead.label}
                {bead.status !== 'pending' && ` · ${l10n.t('iteration {0}', bead.iteration)}`}
                {bead.status === 'in_progress' &&
                  bead.startedAt !== null &&
                  ` · ${l10n.t('since {0}', when(bead.startedAt))}`}
                {bead.stage !== null && ` · ${bead.stage}`}
                {bead.status === 'done' && spentOn(bead)}
                {findingsText(bead)}
                {bead.review?.verdict === 'accepted' &&
                  bead.review.isPresent &&
                  ` · ${l10n.t('accepted by you')}`}
                {bead.status === 'pending' &&
                  bead.blockedBy.length > 0 &&
                  ` · ${l10n.t('after {0}', bead.blockedBy.join(', '))}`}
                {ended(bead)}
              </div>
              {bead.status === 'in_progress' && doing && <div class="doing code">{doing.text}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns the counts of what reviews found of a bead. */
function findingsText({ findings: { total, open, fixed } }: BeadRow): string {
  if (total === 0) return '';
  const all = total === 1 ? l10n.t('1 finding') : l10n.t('{0} findings', total);
  const parts = [
    open === 0 ? '' : l10n.t('{0} to be fixed', open),
    fixed === 0 ? '' : l10n.t('{0} fixed', fixed),
  ];
  return ` · ${[all, ...parts].filter((part) => part !== '').join(', ')}`;
}

function spentOn({ startedAt, completedAt }: BeadRow): string {
  return startedAt === null || completedAt === null ? '' : ` · ${duration(completedAt - startedAt)}`;
}

/** The iterations that came to nothing. */
function ended({ ended: iterations }: BeadRow): string {
  const rejected = iterations
    .filter(({ exit }) => exit !== 'accepted')
    .map(({ iteration }) => String(iteration));
  return rejected.length === 0 ? '' : ` · ${l10n.t('rejected iterations: {0}', rejected.join(', '))}`;
}
