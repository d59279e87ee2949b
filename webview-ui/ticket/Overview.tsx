import type { TicketState } from '../../src/protocol/pages/ticket.ts';
import type { Activity } from './activity.ts';
import { BeadList } from './BeadList.tsx';
import { Empty } from './Empty.tsx';
import { LiveActivity } from './LiveActivity.tsx';
import { QaChecklist } from './QaChecklist.tsx';
import type { Tools } from './tools.ts';

interface OverviewProps {
  readonly state: TicketState;
  readonly page: Tools;
  readonly canAct: boolean;
  readonly activity: readonly Activity[];
}

/** What a person needs to know now: what waits for them, what is being done, and how far it is. */
export function Overview({ state, page, canAct, activity }: OverviewProps) {
  const { qa, beads, head } = state;
  return (
    <>
      {qa && <QaChecklist key={qa.round} checklist={qa} page={page} canAct={canAct} />}
      {head.mood === 'working' && <LiveActivity activity={activity} page={page} />}
      {beads.length > 0 && <BeadList beads={beads} activity={activity} page={page} />}
      <section aria-labelledby="about">
        <h2 id="about">{page.texts.description}</h2>
        {head.description === '' ? <Empty text={page.texts.noDescription} /> : <div class="plain">{head.description}</div>}
      </section>
    </>
  );
}
