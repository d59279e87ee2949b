type Falsy = false | undefined | null;

/**
 * Waits until `look` answers something, looking every few milliseconds, and answers that. `false`, `undefined` and `null` are no answer. Fails with what
 * was awaited; the test's own time-out may come first.
 */
export async function until<T>(look: () => T | Promise<T>, what: string, limitMs = 10_000): Promise<Exclude<T, Falsy>> {
  for (const start = performance.now(); ;) {
    const seen = await look();
    if (seen !== false && seen !== undefined && seen !== null) return seen as Exclude<T, Falsy>;
    if (performance.now() - start > limitMs) throw new Error(`Waited ${String(limitMs)} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Acts, and acts again, until `hasHelped` says that it did; it waits as long as one try may take. For what is still starting and misses what it is told. */
export async function untilItHelps(act: () => Promise<void>, hasHelped: () => Promise<unknown>, tries = 6): Promise<void> {
  for (let left = tries - 1; ; left--) {
    await act();
    try {
      await hasHelped();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}
