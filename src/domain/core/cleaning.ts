import * as z from 'zod';

/**
 * Removable data of finished tickets (docs/decisions/127-cleaning-up.md). A person may have made or use
 * `worktree`, `work`, `left` (ignored files) and `takenBack` (shared git state).
 */
export const CleanKind = z.enum([
  'texts',
  'log',
  'sessions',
  'attempts',
  'worktree',
  'work',
  'left',
  'takenBack',
]);
export type CleanKind = z.infer<typeof CleanKind>;

/** Names of the kinds. */
export const cleanKindLabels: Readonly<Record<CleanKind, string>> = {
  texts: 'prompts and answers',
  log: 'log',
  sessions: 'OpenCode sessions',
  attempts: 'refs of attempts',
  worktree: 'worktree',
  work: 'refs of other work',
  left: 'ignored files of the worktree',
  takenBack: 'reverted changes to stashes, settings and hooks',
};

/** One kind of one ticket (null: none). `at`: its end in milliseconds since 1970. */
export const Cleanable = z.object({
  ticket: z.string().nullable(),
  kind: CleanKind,
  count: z.number().int(),
  bytes: z.number(),
  at: z.number(),
});
export type Cleanable = z.infer<typeof Cleanable>;

/** Retention: all of the last `days`, and `megabytes` beyond. Automatic cleaning: 0 days mean never. */
export const KeepRule = z.object({
  days: z.number().int().min(0).max(3_650).default(30),
  megabytes: z.number().int().min(0).max(1_000_000).default(500),
});
export type KeepRule = z.infer<typeof KeepRule>;

/** Bytes of all. */
export function sizeOf(all: readonly Cleanable[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

const dayMs = 86_400_000;

/** True if this kind is never removed without being shown. */
export function mayBePersons(kind: CleanKind): boolean {
  return kind === 'worktree' || kind === 'work' || kind === 'left' || kind === 'takenBack';
}

/** Items older than the days and beyond the megabytes, which the newest tickets may keep. */
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
