import type { Clock } from '../ports/ports.ts';

/** Milliseconds between clock reads. More than twice this is sleep of the machine, and isn't counted. */
const tickMs = 1_000;
const saveEveryMs = 5_000;

/**
 * Counts a step's active milliseconds up to its limit (docs/decisions/007-limits-and-caps.md), but not waits
 * for a person or sleep of the machine.
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
    await this.#save(ms).catch(() => undefined);
  }
}
