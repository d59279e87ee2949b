/**
 * The machine of one bead iteration: `kickoff? → code → check → review? → fix? → finalize`, and `analyse?` on failure
 * (docs/decisions/008-workflow-is-a-table.md). An optional stage (`?`) without a handler is passed over.
 */
export interface StageRow<S extends string> {
  readonly label: string;
  readonly optional: boolean;
  /** Where each outcome leads. `accepted` and `rejected` end the iteration. */
  readonly exits: Readonly<Record<string, S | StageEnd>>;
}

/** How an iteration ends: with a commit, or with a note and a reset. */
export type StageEnd = 'accepted' | 'rejected';

/** The stages of an iteration. `exits` leads each outcome of a stage to the next stage or to the end. */
export const beadStages = defineStages({
  kickoff: { label: 'Kick-off', optional: true, exits: { done: 'code', skipped: 'code' } },
  code: { label: 'Coding', optional: false, exits: { done: 'check', failed: 'analyse' } },
  check: { label: 'Checking', optional: false, exits: { passed: 'review', again: 'code', failed: 'analyse' } },
  review: { label: 'Review', optional: true, exits: { clean: 'finalize', findings: 'fix', skipped: 'finalize' } },
  fix: { label: 'Fixing review findings', optional: true, exits: { done: 'check', skipped: 'finalize' } },
  finalize: { label: 'Finalizing', optional: false, exits: { done: 'accepted' } },
  analyse: { label: 'Failure analysis', optional: true, exits: { done: 'rejected', skipped: 'rejected' } },
});

/** The name of a bead stage. */
export type BeadStage = keyof typeof beadStages;

function defineStages<const T extends { readonly [K in keyof T]: StageRow<Extract<keyof T, string>> }>(rows: T): T {
  return rows;
}
