import { useState } from 'preact/hooks';
import type * as z from 'zod';

/** What a page keeps of its own over being hidden and over a reload of the window: text that wasn't sent, which part is open. */
export interface Kept {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

type Change<T> = (next: T | ((now: T) => T)) => void;

/** Like `useState`, but kept. What was kept is checked; what no longer fits counts as nothing. */
export function useKept<T>(kept: Kept, key: string, schema: z.ZodType<T>, initial: T): readonly [T, Change<T>] {
  const [value, setValue] = useState<T>(() => {
    const before = schema.safeParse(kept.get(key));
    return before.success ? before.data : initial;
  });
  const change: Change<T> = (next) =>
    setValue((now) => {
      const then = typeof next === 'function' ? (next as (now: T) => T)(now) : next;
      kept.set(key, then);
      return then;
    });
  return [value, change];
}
