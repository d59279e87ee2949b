import { type Status, rowOf, sequence } from './workflow.ts';

/** Editing an approved document later goes back to where the next one is drafted (docs/decisions/014-edits-rewind.md). */
export const rewinds = { interview: 'DRAFTING_PRD', prd: 'DRAFTING_BEADS' } as const satisfies Record<string, Status>;

/** Where an edit of this artifact in this status rewinds to; undefined when it is the gate's own document or can't be edited any more. */
export function rewindTarget(status: Status, artifact: string): Status | undefined {
  if (artifact !== 'interview' && artifact !== 'prd') return undefined;
  const target = rewinds[artifact];
  return rowOf(status).actions.edit?.rewinds && sequence.from(target).includes(status) ? target : undefined;
}
