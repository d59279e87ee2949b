import promises from 'node:timers/promises';

/** Shorter than is allowed. */
export interface ShortTimer {
  /** The function that made it, its milliseconds, and the line of the bundle that called it. */
  readonly what: string;
  /** By `Date.now()`. */
  readonly at: number;
}

const shortest = 1_000;

/**
 * Timers under a second that the product creates in this thread: those with a file of its own on the stack.
 * An interval from before is reported each time it fires.
 */
export function watchTimers(tell: (timer: ShortTimer) => void): void {
  const globals = globalThis as unknown as Record<
    'setTimeout' | 'setInterval',
    (run: (...args: unknown[]) => void, ms?: number) => unknown
  >;
  const { setTimeout: timeout, setInterval: interval } = globals;
  globals.setTimeout = (run, ms = 0, ...args: unknown[]) => {
    note('setTimeout', ms, tell);
    return Reflect.apply(timeout, globalThis, [run, ms, ...args]);
  };
  globals.setInterval = (run, ms = 0, ...args: unknown[]) => {
    const told = note('setInterval', ms, tell);
    const fire = (...given: unknown[]): void => {
      if (told !== undefined) tell({ what: told, at: Date.now() });
      run(...given);
    };
    return Reflect.apply(interval, globalThis, [fire, ms, ...args]);
  };
  const pause = promises.setTimeout;
  promises.setTimeout = (ms, value, options) => {
    note('timers/promises', ms ?? 0, tell);
    return pause(ms, value, options);
  };
}

function note(kind: string, ms: number, tell: (timer: ShortTimer) => void): string | undefined {
  if (ms >= shortest) return undefined;
  const line = new Error().stack?.split('\n').find((text) => text.includes('beadsmith.beadsmith-'));
  if (line === undefined) return undefined;
  const what = `${kind} ${String(ms)} ms ${line.trim()}`;
  tell({ what, at: Date.now() });
  return what;
}
