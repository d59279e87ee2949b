import * as z from 'zod';
import { Evidence } from '../core/evidence.ts';
import { CommitSha } from '../core/ids.ts';
import { Bead, BeadStatusMarker, DevRecord } from './bead.ts';
import { Finding } from '../findings/finding.ts';
import { Rejected } from './progress.ts';
import { FailureAnalysis } from './analysis.ts';
import { Failure } from './failure.ts';
import { LoopEnd, Pass } from './passes.ts';

/** The state of an iteration, kept by the stage machine: stages get and return fields (`beadStages`). */
export const IterationState = z.object({
  /** The bead as it was selected. */
  bead: Bead,
  /** The model that works on it: the main implementer, or the second one. */
  member: z.string(),
  /** The user's context for this iteration. */
  context: z.array(z.string()),
  /** Number of times the coder was asked, the first time included. */
  visit: z.number().int().nonnegative(),
  session: z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() }).nullable(),
  marker: BeadStatusMarker.nullable(),
  devRecord: DevRecord.nullable(),
  /** Ids of the context entries that the coder took into account, of all its answers. */
  acknowledged: z.array(z.string()).default([]),
  evidence: z.array(Evidence),
  /** The commit that the evidence is about; null before it is made, and if the bead changes nothing. */
  candidate: CommitSha.nullable(),
  /** Everything that was in the worktree when the candidate was made. */
  tree: CommitSha.nullable(),
  /** Changed paths that the candidate doesn't have, because they look generated. */
  leftOut: z.array(z.string()),
  /** The rejections by the checks of this iteration, as `stuckReason` needs them. */
  checks: z.array(Rejected),
  /** The problem, in words for the coder; empty when there is none. */
  problem: z.string(),
  /** The same for people and for what decides how the work continues; null when nothing is wrong. */
  failure: Failure.nullable().default(null),
  /** The last review, with its commit, its files and what is to be fixed; null before the first. */
  review: z
    .object({
      round: z.number().int().positive(),
      candidate: CommitSha,
      tree: CommitSha.nullable(),
      findings: z.array(Finding),
    })
    .nullable()
    .default(null),
  /** The pass that works now, from 1; 0 before the first (docs/decisions/140-passes.md). */
  pass: z.number().int().nonnegative().default(0),
  /** The passes that were checked, oldest first; none where an iteration has one pass. */
  passes: z.array(Pass).default([]),
  /** The end of the loop of passes; null while it hasn't ended, and where there is no loop. */
  ended: LoopEnd.nullable().default(null),
  /** True if the coder was asked for another approach (docs/decisions/066-stuck-agents.md). */
  pivoted: z.boolean().default(false),
  /** The analysis of why the iteration failed; null without one. */
  analysis: FailureAnalysis.nullable().default(null),
  /** A lost session, which uses up no iteration (docs/decisions/029-iterations-and-reset.md). */
  interrupted: z.boolean(),
});
export type IterationState = z.infer<typeof IterationState>;

/** The end of an iteration: with a commit, or with a note and a reset. */
export const IterationEnd = z.enum(['accepted', 'rejected']);
export type IterationEnd = z.infer<typeof IterationEnd>;

/** The result that an iteration leaves to the run it belongs to. */
export const IterationResult = z.object({
  end: IterationEnd,
  result: IterationState.pick({
    problem: true,
    failure: true,
    interrupted: true,
    acknowledged: true,
    passes: true,
    ended: true,
    analysis: true,
  }),
});
export type IterationResult = z.infer<typeof IterationResult>;

/** The state in which an iteration starts. */
export function newIteration(bead: Bead, member: string, context: readonly string[]): IterationState {
  return {
    bead,
    member,
    context: [...context],
    visit: 0,
    session: null,
    marker: null,
    devRecord: null,
    acknowledged: [],
    evidence: [],
    candidate: null,
    tree: null,
    leftOut: [],
    checks: [],
    problem: '',
    failure: null,
    review: null,
    pass: 0,
    passes: [],
    ended: null,
    pivoted: false,
    analysis: null,
    interrupted: false,
  };
}

/** The key of an iteration in the run it belongs to. */
export function iterationKey({ id, iteration }: Pick<Bead, 'id' | 'iteration'>): string {
  return `bead:${id}:${String(iteration)}`;
}

/** Returns the bead and the iteration that a key names; undefined for the key of anything else. */
export function iterationOfKey(
  key: string,
): { readonly bead: string; readonly iteration: number } | undefined {
  const [, bead, iteration] = /^bead:(.+):(\d+)$/.exec(key) ?? [];
  return bead === undefined ? undefined : { bead, iteration: Number(iteration) };
}
