import { join } from 'node:path';
import threads, { BroadcastChannel, type WorkerOptions } from 'node:worker_threads';
import { type ShortTimer, watchTimers } from './timerWatch.ts';

/**
 * Keeps what the product makes of short timers, in the extension host's main thread and in the threads that
 * the product starts there.
 */
export class IdleWatch {
  readonly #timers: ShortTimer[] = [];

  /**
   * Begins to watch. `folder`: the probe's own. What is there already isn't seen, so the product mustn't be
   * awake yet.
   */
  start(folder: string): void {
    watchTimers((timer) => this.#timers.push(timer));
    const channel = new BroadcastChannel('bench timers');
    channel.onmessage = ({ data }: { data: ShortTimer }) => this.#timers.push(data);
    const { Worker } = threads;
    threads.Worker = class extends Worker {
      constructor(file: string | URL, options: WorkerOptions = {}) {
        const execArgv = [...(options.execArgv ?? []), '--require', join(folder, 'workerTimers.cjs')];
        super(file, String(file).includes('beadsmith.beadsmith-') ? { ...options, execArgv } : options);
      }
    };
  }

  /** What was made of them in so many milliseconds from now on. */
  async during(ms: number): Promise<readonly string[]> {
    const start = Date.now();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return this.#timers.filter(({ at }) => at >= start).map(({ what }) => what);
  }

  /** How many there were in all: while it worked, the product makes some. */
  get count(): number {
    return this.#timers.length;
  }
}
