import * as z from 'zod';

/**
 * What can be removed of tickets that are over (docs/decisions/127-cleaning-up.md). `texts`: what models were
 * asked and answered. `attempts`: refs of what agents left. `work`, `left`, `takenBack`: other refs, ignored
 * files of worktrees, and changes of the shared git state; a person may have made them.
 */
export const CleanKind = z.enum(['texts', 'log', 'sessions', 'attempts', 'work', 'left', 'takenBack']);
export type CleanKind = z.infer<typeof CleanKind>;

/**
 * One kind of one ticket; `ticket` is null for what belongs to none. `at`: when the ticket was over, in
 * milliseconds since 1970.
 */
export const Cleanable = z.object({
  ticket: z.string().nullable(),
  kind: CleanKind,
  count: z.number().int(),
  bytes: z.number(),
  at: z.number(),
});
export type Cleanable = z.infer<typeof Cleanable>;

/**
 * How many days what finished tickets left is kept in any case, and how much of it beyond that. Cleaning up
 * by itself: no days mean never.
 */
export const KeepRule = z.object({
  days: z.number().int().min(0).max(3_650).default(30),
  megabytes: z.number().int().min(0).max(1_000_000).default(500),
});
export type KeepRule = z.infer<typeof KeepRule>;

const dayMs = 86_400_000;

/** Whether it is never removed without having been shown. */
export function mayBePersons(kind: CleanKind): boolean {
  return kind === 'work' || kind === 'left' || kind === 'takenBack';
}

/** What is older than the days, beyond the megabytes: of the newest tickets so much stays. */
export function dueFor(
  all: readonly Cleanable[],
  { days, megabytes }: KeepRule,
  now: number,
): readonly Cleanable[] {
  let bytes = 0;
  return all
    .toSorted((a, b) => b.at - a.at)
    .filter((one) => {
      bytes += one.bytes;
      return now - one.at >= days * dayMs && (megabytes === 0 || bytes > megabytes * 1_000_000);
    });
}
