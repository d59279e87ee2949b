import { existsSync, readFileSync } from 'node:fs';

type Falsy = false | undefined | null;

/**
 * Waits until `look` answers something, looking every 5 to 50 ms, and answers that. `false`, `undefined` and
 * `null` are no answer. Fails with what was awaited; the test's own timeout may come first.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  limitMs = 60_000,
): Promise<Exclude<T, Falsy>> {
  let pauseMs = 5;
  for (const start = performance.now(); ;) {
    const seen = await look();
    if (seen !== false && seen !== undefined && seen !== null) return seen as Exclude<T, Falsy>;
    if (performance.now() - start > limitMs)
      throw new Error(`Waited ${String(limitMs)} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // What takes long is looked for less often: a look may ask a page, or read a file.
    pauseMs = Math.min(50, pauseMs * 1.2);
  }
}

/**
 * The process number that a program wrote into a file; undefined as long as there is none. The file is there
 * a moment before the number.
 */
export function pidIn(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
}
