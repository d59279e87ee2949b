import * as z from 'zod';
import { Bead, BeadStatusMarker, DevRecord } from '../../domain/beads/bead.ts';
import { Evidence } from '../../domain/evidence.ts';
import { CommitSha } from '../../domain/ids.ts';

/** What an iteration is given: its bead as it was selected, and what the user wants this iteration to know. */
export const IterationInput = z.object({ bead: Bead, context: z.array(z.string()) });
export type IterationInput = z.infer<typeof IterationInput>;

/** What one stage of an iteration passes to the next, and the last one to the parent. */
export const IterationState = z.object({
  /** How often the coder was asked to go on, the first time included. */
  visit: z.number().int().nonnegative(),
  session: z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() }).nullable(),
  marker: BeadStatusMarker.nullable(),
  devRecord: DevRecord.nullable(),
  evidence: z.array(Evidence),
  /** The tree the evidence speaks of. */
  tree: CommitSha.nullable(),
  /** What is wrong, in words for the coder; empty when nothing is. */
  problem: z.string(),
  /** The iteration ended because its session was lost: an interruption, which uses up no iteration (docs/decisions/029-iterations-and-reset.md). */
  interrupted: z.boolean(),
});
export type IterationState = z.infer<typeof IterationState>;

export const IterationResult = z.object({ end: z.enum(['accepted', 'rejected']), result: IterationState });
export type IterationResult = z.infer<typeof IterationResult>;

const untouched: IterationState = {
  visit: 0,
  session: null,
  marker: null,
  devRecord: null,
  evidence: [],
  tree: null,
  problem: '',
  interrupted: false,
};

/** The state a stage was given. What an optional stage before the coder returns isn't one, and yields the initial state. */
export function iterationStateOf(before: unknown): IterationState {
  const parsed = IterationState.safeParse(before);
  return parsed.success ? parsed.data : untouched;
}
