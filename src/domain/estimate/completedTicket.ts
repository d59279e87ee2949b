import type { Depth, Settings } from '../settings/settings.ts';

/** A ticket's effort: calls, tokens, working minutes (no waiting), US dollars. */
export interface Effort {
  readonly calls: number;
  readonly tokens: number;
  readonly minutes: number;
  /** At list price; null if unknown. */
  readonly money: number | null;
}

/** A completed ticket. */
export interface CompletedTicket extends Effort {
  readonly depth: Depth;
  readonly review: ReviewedTicket | null;
}

/** Reviews by one other model, or by personas. */
export type ReviewMode = Exclude<Settings['review'], 'auto' | 'off'>;

/** The effort of reviews and their fixes. */
export interface ReviewedTicket {
  readonly mode: ReviewMode;
  readonly beads: number;
  readonly calls: number;
  readonly tokens: number;
}

/** Completed tickets, newest first: of this repository, and of others on this machine. */
export interface CompletedTickets {
  readonly here: readonly CompletedTicket[];
  readonly elsewhere: readonly CompletedTicket[];
}

/** A ticket's stored data, in milliseconds since 1970. `isWork`: the run didn't wait for a person. */
export interface StoredEffort {
  readonly settings: Settings;
  readonly beads: number;
  readonly calls: readonly { readonly id: string; readonly prompt: string }[];
  readonly usage: readonly { readonly call: string | null; readonly tokens: number; readonly cost: number }[];
  readonly runs: readonly {
    readonly isWork: boolean;
    readonly startedAt: number;
    readonly endedAt: number | null;
  }[];
}

/** A ticket's effort so far. */
export function effortOf({ calls, usage, runs }: Omit<StoredEffort, 'settings' | 'beads'>): Effort {
  const cost = usage.reduce((sum, one) => sum + one.cost, 0);
  const worked = runs
    .filter(({ isWork }) => isWork)
    .map(({ startedAt, endedAt }) => Math.max(0, (endedAt ?? startedAt) - startedAt));
  return {
    calls: calls.length,
    tokens: usage.reduce((sum, { tokens }) => sum + tokens, 0),
    minutes: worked.reduce((sum, ms) => sum + ms, 0) / 60_000,
    money: cost > 0 ? cost : null,
  };
}

/** A completed ticket's effort; undefined without model calls. */
export function completedTicket(stored: StoredEffort): CompletedTicket | undefined {
  if (stored.calls.length === 0) return undefined;
  return { depth: stored.settings.depth, ...effortOf(stored), review: reviewOf(stored) };
}

function reviewOf({ settings: { review: mode }, beads, calls, usage }: StoredEffort): ReviewedTicket | null {
  if (mode !== 'standard' && mode !== 'party') return null;
  const ids = new Set(calls.filter(({ prompt }) => isOfReview(prompt)).map(({ id }) => id));
  const tokens = usage
    .filter(({ call }) => call !== null && ids.has(call))
    .reduce((sum, one) => sum + one.tokens, 0);
  return { mode, beads, calls: ids.size, tokens };
}

function isOfReview(prompt: string): boolean {
  return prompt === 'fix' || /^(?:review|party)(?:-|$)/.test(prompt);
}
