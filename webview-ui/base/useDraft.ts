import { useEffect, useMemo, useState } from 'preact/hooks';
import type * as z from 'zod';
import { canonicalJson } from '../../src/base/json.ts';
import type { DraftStatus, DraftStore } from './draftStore.ts';
import type { Change } from './viewState.ts';

/**
 * Like `useState`, but stored as a draft unless it is `initial`. What was stored is checked; what no longer
 * fits counts as nothing.
 */
export function useDraft<T>(
  store: DraftStore,
  key: string,
  schema: z.ZodType<T>,
  initial: T,
): readonly [T, Change<T>] {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listening = store.onDidChange(() => redraw((count) => count + 1));
    return () => listening.dispose();
  }, []);
  const read = (raw: unknown): T => {
    const before = schema.safeParse(raw);
    return before.success ? before.data : initial;
  };
  const raw = store.get(key);
  const value = useMemo(() => read(raw), [key, raw]);
  const change: Change<T> = (next) => {
    const then = typeof next === 'function' ? (next as (now: T) => T)(read(store.get(key))) : next;
    store.set(key, canonicalJson(then) === canonicalJson(initial) ? undefined : then);
  };
  return [value, change];
}

/** The status of everything typed on the page. */
export function useDraftStatus(store: DraftStore): DraftStatus {
  const [status, setStatus] = useState(store.status);
  useEffect(() => {
    const listening = store.onDidChange(() => setStatus(store.status));
    setStatus(store.status);
    return () => listening.dispose();
  }, []);
  return status;
}
