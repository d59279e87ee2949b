import { useState } from 'preact/hooks';
import type * as z from 'zod';

/**
 * The parts of a page that are open: kept while it is hidden and over a reload of the window, and lost when
 * its tab is closed.
 */
export interface ViewState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

/** A value, or what makes the next one of the current one. */
export type Change<T> = (next: T | ((now: T) => T)) => void;

/** Like `useState`, but kept. What was kept is checked; what no longer fits counts as nothing. */
export function useViewState<T>(
  viewState: ViewState,
  key: string,
  schema: z.ZodType<T>,
  initial: T,
): readonly [T, Change<T>] {
  const [value, setValue] = useState<T>(() => {
    const before = schema.safeParse(viewState.get(key));
    return before.success ? before.data : initial;
  });
  const change: Change<T> = (next) =>
    setValue((now) => {
      const then = typeof next === 'function' ? (next as (now: T) => T)(now) : next;
      viewState.set(key, then);
      return then;
    });
  return [value, change];
}
