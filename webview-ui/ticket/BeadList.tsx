import type { BeadRow } from '../../src/protocol/pages/ticket.ts';
import { Icon } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import type { Activity } from './activity.ts';
import { duration, when } from '../base/format.ts';
import type { Tools } from './tools.ts';

const icons: Readonly<Record<BeadRow['status'], string>> = {
  pending: 'circle-outline',
  in_progress: 'sync',
  done: 'pass-filled',
  error: 'error',
};

interface BeadListProps {
  readonly beads: readonly BeadRow[];
  readonly activity: readonly Activity[];
  readonly page: Tools;
}

/** The plan, in its order, with how far each bead is; of the one in work, what it does and since when. */
export function BeadList({ beads, activity, page }: BeadListProps) {
  const { texts } = page;
  const done = beads.filter(({ status }) => status === 'done').length;
  const doing = activity.findLast(({ hint }) => hint.kind === 'tool' || hint.kind === 'command' || hint.kind === 'retry')?.hint;
  return (
    <section aria-labelledby="beads">
      <h2 id="beads">{fill(texts.beads, done, beads.length)}</h2>
      <progress max={beads.length} value={done} aria-label={texts.beadsDone} />
      <ol class="rows">
        {beads.map((bead, index) => (
          <li key={bead.id} class={`bead bead-${bead.status}`} aria-current={bead.status === 'in_progress' ? 'step' : undefined}>
            <Icon name={icons[bead.status]} />
            <div class="grow">
              <div>
                <span class="quiet">{fill(texts.ofTotal, index + 1, beads.length)}</span> {bead.title}{' '}
                <span class="quiet code">{bead.id}</span>
              </div>
              <div class="quiet">
                {texts[`bead_${bead.status}`]}
                {bead.status !== 'pending' && ` · ${fill(texts.iteration, bead.iteration)}`}
                {bead.status === 'in_progress' && bead.startedAt !== null && ` · ${fill(texts.since, when(bead.startedAt))}`}
                {bead.status === 'done' && spentOn(bead)}
                {bead.review?.verdict === 'accepted' && bead.review.isPresent && ` · ${texts.accepted}`}
                {bead.status === 'pending' && bead.blockedBy.length > 0 && ` · ${fill(texts.after, bead.blockedBy.join(', '))}`}
                {ended(bead, texts)}
              </div>
              {bead.status === 'in_progress' && doing && <div class="doing code">{doing.text}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function spentOn({ startedAt, completedAt }: BeadRow): string {
  return startedAt === null || completedAt === null ? '' : ` · ${duration(completedAt - startedAt)}`;
}

/** The iterations that came to nothing. */
function ended({ ended: iterations }: BeadRow, texts: Tools['texts']): string {
  const rejected = iterations.filter(({ exit }) => exit !== 'accepted').map(({ iteration }) => String(iteration));
  return rejected.length === 0 ? '' : ` · ${fill(texts.rejected, rejected.join(', '))}`;
}
