import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import type { Activity } from './activity.ts';
import { BeadList } from './BeadList.tsx';
import { Context } from './Context.tsx';
import { Empty } from '../shared/Empty.tsx';
import { FailedAttempts } from './FailedAttempts.tsx';
import { LiveActivity } from './LiveActivity.tsx';
import { QaChecklist } from './QaChecklist.tsx';
import { Talk } from './Talk.tsx';
import type { Tools } from '../shared/tools.ts';

interface OverviewProps {
  readonly state: TicketState;
  readonly page: Tools;
  readonly canAct: boolean;
  readonly activity: readonly Activity[];
}

/** Shows what a person needs to know now: what waits for them, what is being done, and how far it is. */
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
      {head.mood === 'working' && <LiveActivity activity={activity} />}
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
