import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cleanable } from '../../domain/core/cleaning.ts';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import type { Cleaned, RemoveOptions } from '../../protocol/upkeep.ts';

export interface Found extends Cleanable {
  readonly remove: (signal?: AbortSignal) => Promise<void>;
}

export function shownOf(found: readonly Found[]): readonly Cleanable[] {
  return found.map(({ remove: _, ...cleanable }) => cleanable);
}

/** Removes those of the found ones that are wanted, one after the other. */
export async function removeFound(
  found: readonly Found[],
  wanted: readonly Cleanable[],
  { signal, tell }: RemoveOptions,
): Promise<Cleaned> {
  const keys = new Set(wanted.map(keyOf));
  const removed: Cleanable[] = [];
  const failed: (Cleanable & { reason: string })[] = [];
  for (const { remove, ...cleanable } of found.filter((one) => keys.has(keyOf(one)))) {
    if (signal?.aborted === true) break;
    try {
      await remove(signal);
      removed.push(cleanable);
    } catch (error) {
      failed.push({ ...cleanable, reason: toBeadsmithError(error).message });
    }
    tell?.(removed.length + failed.length);
  }
  return { removed, failed };
}

function keyOf({ ticket, kind }: Cleanable): string {
  return `${ticket ?? ''} ${kind}`;
}

/** `at`: of the newest, in milliseconds since 1970. */
interface Measured {
  readonly count: number;
  readonly bytes: number;
  readonly at: number;
}

/** Links aren't followed. */
export async function measure(path: string): Promise<Measured> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return { count: 0, bytes: 0, at: 0 };
  if (!found.isDirectory()) return { count: 1, bytes: found.size, at: found.mtimeMs };
  const names = await readdir(path).catch(() => []);
  let sum: Measured = { count: 0, bytes: 0, at: 0 };
  for (const name of names) {
    const one = await measure(join(path, name));
    sum = { count: sum.count + one.count, bytes: sum.bytes + one.bytes, at: Math.max(sum.at, one.at) };
  }
  return sum;
}
