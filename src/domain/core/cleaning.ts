import * as z from 'zod';

/**
 * The kinds of data that can be removed from tickets that are over (docs/decisions/127-cleaning-up.md).
 * `texts`: requests to models and their answers. `attempts`: refs of what agents left. `work`, `left`,
 * `takenBack`: other refs, ignored files of worktrees, and changes of the shared git state; a person may have
 * made them.
 */
export const CleanKind = z.enum(['texts', 'log', 'sessions', 'attempts', 'work', 'left', 'takenBack']);
export type CleanKind = z.infer<typeof CleanKind>;

/** One kind of one ticket (null: none). `at`: the ticket's end, in milliseconds since 1970. */
export const Cleanable = z.object({
  ticket: z.string().nullable(),
  kind: CleanKind,
  count: z.number().int(),
  bytes: z.number(),
  at: z.number(),
});
export type Cleanable = z.infer<typeof Cleanable>;

/**
 * The retention of what finished tickets left: `days` for which it is kept in any case, and `megabytes` of it
 * that are kept beyond that. In automatic cleaning, 0 days mean never.
 */
export const KeepRule = z.object({
  days: z.number().int().min(0).max(3_650).default(30),
  megabytes: z.number().int().min(0).max(1_000_000).default(500),
});
export type KeepRule = z.infer<typeof KeepRule>;

const dayMs = 86_400_000;

/** Returns true if data of this kind is never removed without having been shown. */
export function mayBePersons(kind: CleanKind): boolean {
  return kind === 'work' || kind === 'left' || kind === 'takenBack';
}

/** Returns the items older than the days and beyond the megabytes, which the newest tickets may keep. */
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
