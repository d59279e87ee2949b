import { type Status, rowOf, statuses } from './workflow.ts';

/** Editing an approved document later goes back to where the next one is drafted (docs/decisions/014-edits-rewind.md). */
export const rewinds = { interview: 'DRAFTING_PRD', prd: 'DRAFTING_BEADS' } as const satisfies Record<string, Status>;

/** The first status in which an approved plan may no longer be rewound by an edit. */
const closedFrom: Status = 'PRE_FLIGHT_CHECK';

/** Where an edit of this artifact in this status rewinds to; undefined when it is the gate's own document or can't be edited any more. */
export function rewindTarget(status: Status, artifact: string): Status | undefined {
  if (artifact !== 'interview' && artifact !== 'prd') return undefined;
  const target = rewinds[artifact];
  const position = statuses.indexOf(status);
  if (rowOf(status).kind === 'terminal' || status === 'BLOCKED_ERROR') return undefined;
  return position >= statuses.indexOf(target) && position < statuses.indexOf(closedFrom) ? target : undefined;
}

/** The statuses from this one on, in the order of the table, without terminal ones and BLOCKED_ERROR. */
export function statusesFrom(first: Status): readonly Status[] {
  return statuses.slice(statuses.indexOf(first)).filter((status) => rowOf(status).kind !== 'terminal' && status !== 'BLOCKED_ERROR');
}
