import * as z from 'zod';

export const crashPoints = [
  'before the intent',
  'after the intent',
  'in the middle',
  'before the receipt',
  'after the receipt',
] as const;
export const CrashPoint = z.enum(crashPoints);
export type CrashPoint = z.infer<typeof CrashPoint>;

export interface CrashTarget {
  /** The step's run id, a space and its key. */
  readonly step: RegExp;
  /** The port's call that does the step's work. */
  readonly act: `${'agent' | 'git' | 'process' | 'store'}.${string}`;
  /** The scripted model's name of the step's prompt. */
  readonly task?: string;
}

/** In the order in which a ticket comes to them. */
export const crashTargets = {
  scan: { step: /\/SCANNING_RELEVANT_FILES scan$/, act: 'agent.prompt', task: 'relevant-files-scan' },
  draft: { step: /\/DRAFTING_PRD member-1\/draft$/, act: 'agent.prompt', task: 'prd-draft' },
  vote: { step: /\/COUNCIL_VOTING_PRD member-1\/vote$/, act: 'agent.prompt', task: 'prd-vote' },
  approve: { step: /\/WAITING_PRD_APPROVAL outcome-1$/, act: 'store.artifact' },
  coding: { step: /\/CODING:bead:\S+ code:\d+\/ask$/, act: 'agent.prompt', task: 'coding' },
  "the bead's commit": { step: /\/CODING:bead:\S+ finalize:\d+\/commit$/, act: 'git.adopt' },
  'final test': { step: /\/RUNNING_FINAL_TEST run:1$/, act: 'process.run' },
  integration: { step: /\/INTEGRATING_CHANGES squash$/, act: 'git.squash' },
} as const satisfies Record<string, CrashTarget>;
export type CrashTargetName = keyof typeof crashTargets;
export const crashTargetNames: readonly CrashTargetName[] = [
  'scan',
  'draft',
  'vote',
  'approve',
  'coding',
  "the bead's commit",
  'final test',
  'integration',
];

export const Crash = z.object({ point: CrashPoint, target: z.enum(crashTargetNames) });
export type Crash = z.infer<typeof Crash>;

/** Each is written before the process continues. */
export const CrashRecord = z.discriminatedUnion('type', [
  z.object({ type: z.literal('posted'), action: z.string(), id: z.string() }),
  /** `step`: the run and key it was killed at. `saw`: what a check of the session said. */
  z.object({
    type: z.literal('killed'),
    ...Crash.shape,
    run: z.string(),
    key: z.string(),
    saw: z.string().nullable(),
  }),
  z.object({ type: z.literal('stopped'), status: z.string(), error: z.string().nullable() }),
]);
export type CrashRecord = z.infer<typeof CrashRecord>;
