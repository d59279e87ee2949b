import type { Depth, Settings } from '../settings/settings.ts';

/** The effort of a ticket: calls, tokens in and out, minutes of work (no waiting), US dollars. */
export interface Effort {
  readonly calls: number;
  readonly tokens: number;
  readonly minutes: number;
  /** At list price, as OpenCode knows it; null where no price is known. */
  readonly money: number | null;
}

/** A ticket that was completed. */
export interface CompletedTicket extends Effort {
  readonly depth: Depth;
  /** The effort of its reviews; null if its beads weren't reviewed. */
  readonly review: ReviewedTicket | null;
}

/** A way to review beads: by one other model, or by personas. */
export type ReviewMode = Exclude<Settings['review'], 'auto' | 'off'>;

/** The effort of a finished ticket's reviews and their fixes: calls, and tokens in and out. */
export interface ReviewedTicket {
  readonly mode: ReviewMode;
  readonly beads: number;
  readonly calls: number;
  readonly tokens: number;
}

/** The tickets that were completed, newest first: in this repository, and in others on this machine. */
export interface CompletedTickets {
  readonly here: readonly CompletedTicket[];
  readonly elsewhere: readonly CompletedTicket[];
}

/** The stored data of a ticket, in milliseconds since 1970; `isWork`: no run that waited for a person. */
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

/** Returns the effort of a ticket so far. */
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

/** Returns the effort of a completed ticket; undefined if it asked no model. */
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

/** Returns true if a prompt belongs to a bead's review: it asks a reviewer, a member, or the fixer. */
function isOfReview(prompt: string): boolean {
  return prompt === 'fix' || /^(?:review|party)(?:-|$)/.test(prompt);
}
