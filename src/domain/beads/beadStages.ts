import * as z from 'zod';
import { type IterationEnd, IterationState } from './iteration.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * A stage: the iteration fields it reads (`input`) and returns (`output`), and the next stage of each exit.
 * `setting` turns it on by being true or another value than `off`; a stage that is off or fails leaves by
 * `skipped`.
 */
export type StageRow<Next extends string = string> = {
  readonly label: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
} & (
  | { readonly setting?: never; readonly exits: Readonly<Record<string, Next | IterationEnd>> }
  | {
      readonly setting: string;
      readonly exits: Readonly<Record<string, Next | IterationEnd>> & {
        readonly skipped: Next | IterationEnd;
      };
    }
);

const work = { bead: true, context: true } as const;
const nothing = z.object({});

/** The machine of one bead iteration (docs/decisions/008-workflow-is-a-table.md; docs/adding.md). */
export const beadStages = defineStages({
  kickoff: {
    label: 'Kickoff',
    setting: 'kickoff',
    input: IterationState.pick(work),
    output: nothing,
    exits: { done: 'code', skipped: 'code' },
  },
  code: {
    label: 'Coding',
    input: IterationState.pick({
      ...work,
      member: true,
      visit: true,
      session: true,
      problem: true,
      acknowledged: true,
      pass: true,
      passes: true,
      checks: true,
    }),
    output: IterationState.pick({
      visit: true,
      pass: true,
      ended: true,
      session: true,
      marker: true,
      devRecord: true,
      acknowledged: true,
      problem: true,
      failure: true,
      interrupted: true,
    }),
    exits: { done: 'check', failed: 'analyse' },
  },
  check: {
    label: 'Checking',
    input: IterationState.pick({
      bead: true,
      visit: true,
      session: true,
      marker: true,
      checks: true,
      pivoted: true,
      pass: true,
      passes: true,
    }),
    output: IterationState.pick({
      evidence: true,
      candidate: true,
      tree: true,
      leftOut: true,
      checks: true,
      pivoted: true,
      problem: true,
      failure: true,
      passes: true,
      ended: true,
    }),
    exits: { passed: 'review', problems: 'code', again: 'code', failed: 'analyse' },
  },
  review: {
    label: 'Review',
    setting: 'review',
    input: IterationState.pick({
      bead: true,
      evidence: true,
      candidate: true,
      tree: true,
      devRecord: true,
      review: true,
    }),
    output: IterationState.pick({ review: true, problem: true, failure: true }),
    exits: { clean: 'finalize', findings: 'fix', failed: 'analyse', skipped: 'finalize' },
  },
  fix: {
    label: 'Fixing review findings',
    setting: 'review',
    input: IterationState.pick({ bead: true, member: true, review: true, session: true, marker: true }),
    output: IterationState.pick({
      review: true,
      session: true,
      marker: true,
      problem: true,
      failure: true,
      interrupted: true,
    }),
    exits: { done: 'check', failed: 'analyse', skipped: 'check' },
  },
  finalize: {
    label: 'Finalizing',
    input: IterationState.pick({
      bead: true,
      marker: true,
      devRecord: true,
      evidence: true,
      candidate: true,
      tree: true,
      leftOut: true,
    }),
    output: nothing,
    exits: { done: 'accepted' },
  },
  // Each failure leads here. By default the stage is off, and `skipped` rejects the iteration.
  analyse: {
    label: 'Failure analysis',
    setting: 'failureAnalysis',
    input: IterationState.pick({
      bead: true,
      problem: true,
      failure: true,
      checks: true,
      interrupted: true,
      devRecord: true,
    }),
    output: IterationState.pick({ analysis: true }),
    exits: { done: 'rejected', skipped: 'rejected' },
  },
});

type Table = typeof beadStages;
/** A bead stage. */
export type BeadStage = keyof Table;
/** A stage that can't be turned off. */
export type RequiredStage = {
  [S in BeadStage]: Table[S] extends { readonly setting: string } ? never : S;
}[BeadStage];
type Switch = {
  [K in keyof Settings]: Settings[K] extends boolean ? K : 'off' extends Settings[K] ? K : never;
}[keyof Settings];
/** A stage that a setting can turn on. */
export type SwitchableStage = {
  [S in BeadStage]: Table[S] extends { readonly setting: Switch } ? S : never;
}[BeadStage];
/** A stage's input. */
export type StageInput<S extends BeadStage> = z.infer<Table[S]['input']>;
/** A stage's output. */
export type StageOutput<S extends BeadStage> = z.infer<Table[S]['output']>;
/** A stage's exit. */
export type StageExit<S extends BeadStage> = keyof Table[S]['exits'] & string;

/** Exit labels, which views translate. */
export const stageExitLabels: Readonly<Record<{ [S in BeadStage]: StageExit<S> }[BeadStage], string>> = {
  done: 'done',
  passed: 'passed',
  problems: 'problems found',
  again: 'passed, more passes required',
  clean: 'nothing found',
  findings: 'findings',
  failed: 'failed',
  skipped: 'skipped',
};

/** A stage's label; its name when the table no longer has it. */
export function stageLabel(stage: string): string {
  return new Map<string, StageRow>(Object.entries(beadStages)).get(stage)?.label ?? stage;
}

/** An exit's label. */
export function stageExitLabel(exit: string): string {
  return new Map(Object.entries(stageExitLabels)).get(exit) ?? exit;
}

/** The key of a stage's visit in its iteration; a prefix of its steps' keys. */
export function stageKey(stage: string, visit: number): string {
  return `${stage}:${String(visit)}`;
}

/** The stage of a step, the key of its visit, and the step's own key; undefined outside of stages. */
export function stageOfStep(
  key: string,
): { readonly stage: string; readonly visit: string; readonly step: string } | undefined {
  const [, visit, stage, step] = /^((\w+):\d+)\/(.+)$/.exec(key) ?? [];
  return visit === undefined || stage === undefined || step === undefined
    ? undefined
    : { stage, visit, step };
}

function defineStages<const T extends { readonly [K in keyof T]: StageRow<Extract<keyof T, string>> }>(
  rows: T,
): T {
  return rows;
}
