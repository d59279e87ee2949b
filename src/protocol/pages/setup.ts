import * as z from 'zod';
import type { PageContract } from './frame.ts';

/** In the person's language, and on one line. */
const Label = z.string();

/** A check as the page shows it. `word`: its result. */
const CheckLine = z.object({
  id: z.string(),
  result: z.enum(['pass', 'warn', 'fail', 'skip']),
  word: Label,
  subject: Label,
  sentence: Label,
  /** Lines that a program wrote before it failed. */
  said: z.string(),
  nextStep: Label,
  /** The button that helps; empty if none does. */
  fix: Label,
});
export type CheckLine = z.infer<typeof CheckLine>;

/** Results of *Check Setup* until now. `summary`: empty while it runs. */
export const SetupState = z.object({
  title: Label,
  isRunning: z.boolean(),
  summary: Label,
  groups: z.array(z.object({ title: Label, lines: z.array(CheckLine) })),
});
export type SetupState = z.infer<typeof SetupState>;

const nothing = { params: z.null(), result: z.object({}) } as const;

/** The page of *Check Setup*. It belongs to the window, and to no ticket. */
export const setupPage = {
  name: 'setup',
  state: SetupState,
  hint: z.never(),
  requests: {
    check: nothing,
    cancel: nothing,
    copy: nothing,
    /** Does what the button of a line says. */
    fix: { params: z.object({ id: z.string().max(100) }), result: z.object({}) },
  },
} as const satisfies PageContract;
