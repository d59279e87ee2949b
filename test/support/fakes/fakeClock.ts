import type { Clock } from '../../../src/engine/ports/ports.ts';

/** Moves when it is advanced only. */
export class FakeClock implements Clock {
  #now = Date.parse('2026-01-01T00:00:00Z');
  #setBy = 0;
  #ids = 0;
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();

  now(): number {
    return this.#now + this.#setBy;
  }

  monotonic(): number {
    return this.#now;
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        resolve();
      });
    });
  }

  /** What a person, the network or sleep does to the time of day. */
  set(byMs: number): void {
    this.#setBy += byMs;
  }

  randomId(): string {
    return `id${String(++this.#ids).padStart(24, '0')}`;
  }

  /** In steps of a second, letting those it wakes act in between. */
  async advance(ms: number): Promise<void> {
    for (const end = this.#now + ms; this.#now < end;) {
      this.#now = Math.min(end, this.#now + 1_000);
      for (const sleeper of [...this.#sleepers]) {
        if (sleeper.until > this.#now) continue;
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
