import type { Clock } from '../ports/ports.ts';

/**
 * Interval at which the clock is read, in milliseconds. More than twice this between two reads is sleep of
 * the machine and isn't counted.
 */
const tickMs = 1_000;
/** Amount of activity that may be lost by a crash, in milliseconds. */
const saveEveryMs = 5_000;

/**
 * Counts the active milliseconds of a step and aborts its signal when they are used up
 * (docs/decisions/007-limits-and-caps.md). The clock stops while the step waits for a person, while nobody
 * drives, and while the machine sleeps.
 */
export class ActiveTimer {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #limitMs: number;
  readonly #onExpire: () => void;
  readonly #save: (ms: number) => Promise<void>;
  readonly #ended = new AbortController();
  #expired = false;
  #activeMs: number;
  #unsavedMs = 0;
  #pauses = 0;

  constructor(options: {
    clock: Pick<Clock, 'monotonic' | 'sleep'>;
    limitMs: number;
    alreadyMs: number;
    onExpire: () => void;
    save: (ms: number) => Promise<void>;
  }) {
    this.#clock = options.clock;
    this.#limitMs = options.limitMs;
    this.#activeMs = options.alreadyMs;
    this.#onExpire = options.onExpire;
    this.#save = options.save;
  }

  /** Runs until `end` is called or the limit is reached. Never rejects. */
  async start(): Promise<void> {
    let last = this.#clock.monotonic();
    while (!this.#ended.signal.aborted) {
      await this.#clock.sleep(
        Math.max(1, Math.min(tickMs, this.#limitMs - this.#activeMs)),
        this.#ended.signal,
      );
      const now = this.#clock.monotonic();
      if (this.#pauses === 0) this.#count(Math.min(now - last, 2 * tickMs));
      last = now;
      if (this.#activeMs >= this.#limitMs) this.#expire();
      else if (this.#unsavedMs >= saveEveryMs) await this.#flush();
    }
  }

  end(): void {
    this.#ended.abort();
  }

  async paused<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses++;
    try {
      return await work();
    } finally {
      this.#pauses--;
    }
  }

  #expire(): void {
    if (this.#expired) return;
    this.#expired = true;
    this.end();
    this.#onExpire();
  }

  #count(ms: number): void {
    this.#activeMs += ms;
    this.#unsavedMs += ms;
  }

  async #flush(): Promise<void> {
    const ms = Math.round(this.#unsavedMs);
    this.#unsavedMs = 0;
    // A few uncounted seconds are no reason to end the step; if the store fails, the next commit reports it.
    await this.#save(ms).catch(() => undefined);
  }
}
