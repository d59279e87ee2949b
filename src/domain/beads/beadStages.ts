import * as z from 'zod';
import { type IterationEnd, IterationState } from './iteration.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * A stage of a bead's iteration. `input`: the fields of the iteration's state that its handler gets;
 * `output`: those it returns. `exits` leads each outcome to the next stage or to the end. With `setting` the
 * stage is optional: the field of `Settings` that turns it on, by being true or something else than `off`.
 * One that is off, has no handler, or fails itself is passed over by its exit `skipped`.
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

/**
 * The machine of one bead iteration: `kickoff? → code → check → review? → fix? → finalize`, and `analyse?` on
 * failure (docs/decisions/008-workflow-is-a-table.md). docs/adding.md says how a stage is added.
 */
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
/** The name of a bead stage. */
export type BeadStage = keyof Table;
/** A stage that every iteration goes through. */
export type RequiredStage = {
  [S in BeadStage]: Table[S] extends { readonly setting: string } ? never : S;
}[BeadStage];
/** Settings that turn something on: those that are true, or have a value that is `off`. */
type Switch = {
  [K in keyof Settings]: Settings[K] extends boolean ? K : 'off' extends Settings[K] ? K : never;
}[keyof Settings];
/** An optional stage whose setting exists: one that can be turned on. */
export type SwitchableStage = {
  [S in BeadStage]: Table[S] extends { readonly setting: Switch } ? S : never;
}[BeadStage];
/** The input of a stage's handler. */
export type StageInput<S extends BeadStage> = z.infer<Table[S]['input']>;
/** The output of a stage's handler. */
export type StageOutput<S extends BeadStage> = z.infer<Table[S]['output']>;
/** The exits of a stage. */
export type StageExit<S extends BeadStage> = keyof Table[S]['exits'] & string;

/** Labels of the stages' exits, for people. Views and pages translate them. */
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

/** The label of a stage that an event or the journal names; its name when the table no longer has it. */
export function stageLabel(stage: string): string {
  return new Map<string, StageRow>(Object.entries(beadStages)).get(stage)?.label ?? stage;
}

/** The label of an exit that an event or the journal names. */
export function stageExitLabel(exit: string): string {
  return new Map(Object.entries(stageExitLabels)).get(exit) ?? exit;
}

function defineStages<const T extends { readonly [K in keyof T]: StageRow<Extract<keyof T, string>> }>(
  rows: T,
): T {
  return rows;
}
