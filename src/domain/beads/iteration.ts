import * as z from 'zod';
import { Evidence } from '../core/evidence.ts';
import { CommitSha } from '../core/ids.ts';
import { Bead, BeadStatusMarker, DevRecord } from './bead.ts';
import { Finding } from '../findings/finding.ts';
import { Rejected } from './progress.ts';
import { FailureAnalysis } from './analysis.ts';
import { Failure } from './failure.ts';
import { LoopEnd, Pass } from './passes.ts';

/** The state of an iteration, from which stages get and to which they return fields. */
export const IterationState = z.object({
  bead: Bead,
  member: z.string(),
  context: z.array(z.string()),
  visit: z.number().int().nonnegative(),
  session: z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() }).nullable(),
  marker: BeadStatusMarker.nullable(),
  devRecord: DevRecord.nullable(),
  acknowledged: z.array(z.string()).default([]),
  evidence: z.array(Evidence),
  /** The commit of the evidence; null if nothing changed. */
  candidate: CommitSha.nullable(),
  /** Everything in the worktree with the candidate. */
  tree: CommitSha.nullable(),
  leftOut: z.array(z.string()),
  checks: z.array(Rejected),
  problem: z.string(),
  failure: Failure.nullable().default(null),
  review: z
    .object({
      round: z.number().int().positive(),
      candidate: CommitSha,
      tree: CommitSha.nullable(),
      findings: z.array(Finding),
    })
    .nullable()
    .default(null),
  /** From 1; 0 before the first (docs/decisions/140-passes.md). */
  pass: z.number().int().nonnegative().default(0),
  /** Oldest first; none where an iteration has one pass. */
  passes: z.array(Pass).default([]),
  /** Null until it ends, and without a loop. */
  ended: LoopEnd.nullable().default(null),
  /** Another approach was asked for (docs/decisions/066-stuck-agents.md). */
  pivoted: z.boolean().default(false),
  analysis: FailureAnalysis.nullable().default(null),
  /** A lost session uses up no iteration (docs/decisions/029-iterations-and-reset.md). */
  interrupted: z.boolean(),
});
export type IterationState = z.infer<typeof IterationState>;

/** The end: with a commit, or with a note and a reset. */
export const IterationEnd = z.enum(['accepted', 'rejected']);
export type IterationEnd = z.infer<typeof IterationEnd>;

/** The result that an iteration leaves to its run. */
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

/** The state at the start. */
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

/** The key of an iteration in its run. */
export function iterationKey({ id, iteration }: Pick<Bead, 'id' | 'iteration'>): string {
  return `bead:${id}:${String(iteration)}`;
}

/** The bead and iteration of a key; undefined for other keys. */
export function iterationOfKey(
  key: string,
): { readonly bead: string; readonly iteration: number } | undefined {
  const [, bead, iteration] = /^bead:(.+):(\d+)$/.exec(key) ?? [];
  return bead === undefined ? undefined : { bead, iteration: Number(iteration) };
}

/** The bead and iteration that a step belongs to, by its key with its runs'; undefined outside of them. */
export function iterationOfStep(
  key: string,
): { readonly bead: string; readonly iteration: number } | undefined {
  const [, found] = /(?:^|[:/])(bead:[a-z0-9-]+:\d+)(?:\/|$)/.exec(key) ?? [];
  return found === undefined ? undefined : iterationOfKey(found);
}

/**
 * A stage's entry. `interrupted`: session lost, or restarted by a person. `open`: keys of running steps.
 * Times in milliseconds since 1970.
 */
export interface PastStage {
  readonly stage: string;
  readonly state: 'open' | 'done' | 'failed';
  readonly exit: string | null;
  readonly interrupted: boolean;
  readonly open: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** The bead at work: its place in the plan (from 1), iteration and stage (null between two). */
export const CodedBead = z.object({
  bead: z.string(),
  title: z.string(),
  number: z.number(),
  iteration: z.number(),
  stage: z.string().nullable(),
});
export type CodedBead = Readonly<z.infer<typeof CodedBead>>;
