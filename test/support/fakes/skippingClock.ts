import type { Clock } from '../../../src/engine/ports/ports.ts';

/** A test can skip time ahead: then everyone who sleeps long enough wakes, as after a night. */
export class SkippingClock implements Clock {
  #skippedMs = 0;
  #ids = 0;
  readonly #sleepers = new Set<() => void>();

  now(): number {
    return Date.now() + this.#skippedMs;
  }

  monotonic(): number {
    return performance.now() + this.#skippedMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const until = this.monotonic() + ms;
    while (!signal?.aborted && this.monotonic() < until) await this.#nap(until - this.monotonic(), signal);
  }

  randomId(): string {
    return `id${String(++this.#ids).padStart(24, '0')}`;
  }

  skip(ms: number): void {
    this.#skippedMs += ms;
    for (const wake of [...this.#sleepers]) wake();
  }

  #nap(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, 2 ** 31 - 1));
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
