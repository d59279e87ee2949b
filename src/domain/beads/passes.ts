import * as z from 'zod';

/** Ends of a loop of passes (docs/decisions/140-passes.md) with label and exit code; null: the usual code. */
export const loopEnds = {
  validated_complete: { label: 'done, and the checks pass', exit: null },
  max_passes: { label: 'all passes were used', exit: 10 },
  token_cap: { label: 'the token limit of the ticket was reached', exit: 11 },
  cost_cap: { label: 'the cost limit of the ticket was reached', exit: 12 },
  time_cap: { label: 'the time limit of the ticket was reached', exit: 13 },
  stuck: { label: 'there was no progress', exit: 14 },
  aborted: { label: 'the agent said that it is blocked', exit: 15 },
  timed_out: { label: 'the time limit of the iteration was reached', exit: 16 },
  failed: { label: 'a pass failed', exit: null },
  user_stop: { label: 'stopped by you', exit: 5 },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly exit: number | null }>>;

/** One of them. */
export const LoopEnd = z.enum(Object.keys(loopEnds) as (keyof typeof loopEnds)[]);
export type LoopEnd = z.infer<typeof LoopEnd>;

/** Outcomes of a pass. */
export const passTexts = {
  passed: 'It reported that the bead is done, and the checks passed.',
  claimed_early: 'It reported that the bead is done, and the checks passed, but more passes were wanted.',
  rejected: 'It reported that the bead is done, but the checks failed.',
  not_done: 'It reported that the bead is not done.',
  unmarked: 'It gave no report.',
  stopped: 'It was stopped in the middle.',
} as const;

/** A checked pass, counted from 1 in its iteration. */
export const Pass = z.object({
  pass: z.number().int().positive(),
  outcome: z.enum(Object.keys(passTexts) as (keyof typeof passTexts)[]),
});
export type Pass = z.infer<typeof Pass>;

/** A pass in the bead's records, of `min` to `max`; `end`: the loop's. */
export const PassEntry = Pass.extend({
  min: z.number().int(),
  max: z.number().int(),
  end: LoopEnd.nullable(),
});
export type PassEntry = z.infer<typeof PassEntry>;
