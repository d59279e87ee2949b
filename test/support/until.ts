import { existsSync, readFileSync } from 'node:fs';

type Falsy = false | undefined | null;

/**
 * Looks every 5 to 50 ms until `look` answers something else than `false`, `undefined` or `null`. Fails with
 * what was awaited.
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
    // A look may ask a page or read a file.
    pauseMs = Math.min(50, pauseMs * 1.2);
  }
}

/** Undefined as long as there is none: the file is there a moment before the number. */
export function pidIn(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
}
