import * as l10n from '@vscode/l10n';
import type { Activity } from '../shared/lists.ts';
import { Empty, type TicketProps } from '../shared/parts.tsx';
import { BeadList } from './BeadList.tsx';
import { Context } from './Context.tsx';
import { FailedAttempts } from './FailedAttempts.tsx';
import { Talk } from './Talk.tsx';
import { Transcript } from './Transcript.tsx';

interface WorkProps extends TicketProps {
  readonly activity: readonly Activity[];
}

export function Work({ state, page, canAct, activity }: WorkProps) {
  const { beads, head, talk, context, hasFailures } = state;
  const failures = hasFailures && <FailedAttempts page={page} stamp={state.stamp} />;
  const isWorking = head.mood === 'working';
  return (
    <>
      {beads.length + context.length === 0 && !isWorking && !hasFailures && (
        <Empty text={l10n.t('No work yet. It starts when the plan is approved.')} />
      )}
      {/* What blocks the ticket is what a person came for. */}
      {state.error && failures}
      {beads.length > 0 && <BeadList beads={beads} activity={activity} page={page} />}
      {talk && (
        <Talk
          talk={talk}
          activity={activity}
          found={beads.find(({ id }) => id === talk.bead)?.findings.total ?? 0}
        />
      )}
      <Transcript state={state} page={page} canAct={canAct} />
      {!state.error && failures}
      <Context entries={context} canSteer={canAct && state.canSteer} page={page} />
    </>
  );
}
