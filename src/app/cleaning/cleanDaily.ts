import { join } from 'node:path';
import * as z from 'zod';
import { sizeText } from '../../base/sizeText.ts';
import { dueFor, type KeepRule, mayBePersons } from '../../domain/core/cleaning.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import { readJson, writeAtomically } from '../../adapters/system/files.ts';
import type { Cleaner } from './cleaner.ts';

const dayMs = 86_400_000;
const lookMs = 3_600_000;
/** A window that was just opened has better things to do. */
const firstMs = 120_000;

const Stamp = z.object({ at: z.number() });

export interface DailyParts {
  readonly cleaner: Pick<Cleaner, 'list' | 'remove'>;
  readonly stateFolder: string;
  /** Returns the person's setting, as it is now; no days: never. */
  readonly rule: () => KeepRule;
  readonly say: (line: string) => void;
  readonly now: () => number;
}

/** Cleans up once a day while this process drives. Answers how to end it, which waits for a removal. */
export function cleanDaily(parts: DailyParts): () => Promise<void> {
  const ended = new AbortController();
  let work = Promise.resolve();
  const look = (): void => {
    work = work.then(() => cleanIfDue(parts, ended.signal));
  };
  const first = setTimeout(look, firstMs).unref();
  const later = setInterval(look, lookMs).unref();
  return async () => {
    ended.abort();
    clearTimeout(first);
    clearInterval(later);
    await work;
  };
}

/**
 * Removes what is due by the rule and was made by agents or the engine alone, unless that was tried within a
 * day. It never disturbs anything: what fails is said, and tried again the next day.
 */
export async function cleanIfDue(
  { cleaner, stateFolder, rule, say, now }: DailyParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    const kept = rule();
    const stamp = join(stateFolder, 'cleaned.json');
    const age = now() - ((await readJson(stamp, Stamp))?.at ?? 0);
    if (kept.days === 0 || signal.aborted || (age >= 0 && age < dayMs)) return;
    await writeAtomically(stamp, JSON.stringify({ at: now() } satisfies z.infer<typeof Stamp>), {
      mode: 0o600,
      durable: false,
    });
    const due = dueFor(
      (await cleaner.list()).filter(({ kind }) => !mayBePersons(kind)),
      kept,
      now(),
    );
    if (due.length === 0) return;
    const { removed, failed } = await cleaner.remove(due, { signal });
    const tickets = new Set(removed.map(({ ticket }) => ticket));
    const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
    say(
      `cleaned up: removed ${sizeText(bytes)} of texts, logs, sessions and refs of ${[...tickets].join(', ') || 'no ticket'}`,
    );
    for (const { ticket, kind, reason } of failed)
      say(`cleaned up: ${kind} of ${ticket ?? 'no ticket'} stay: ${reason}`);
  } catch (error) {
    say(`cleaning up failed: ${toBeadsmithError(error).message}`);
  }
}
