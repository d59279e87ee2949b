import { Worker } from 'node:worker_threads';
import type { OpenOptions } from './file/openDatabase.ts';
import { FromWorker, type Request } from './sql/workerMessages.ts';

/** The options of a store's thread. */
export type StoreStart =
  | OpenOptions
  | {
      /** Of a team's database, with the login. */
      readonly url: string;
      readonly repository: string;
      /** Null for a process that drives nothing. */
      readonly runner: string | null;
      /** By default its tables are made or updated. */
      readonly make?: boolean;
      /** Of a new repository: its address for clones, without a login. */
      readonly origin?: string;
    };

interface ThreadListeners {
  /** Milliseconds; the machine's sleep doesn't count. */
  readonly silentMs: number;
  readonly isAsked: () => boolean;
  readonly onMessage: (message: FromWorker) => void;
  readonly onEnd: (reason: string) => void;
}

const tickMs = 1_000;
/** Most of what it makes is sent and let go: without a limit, V8 kept tens of megabytes after a long list. */
const youngMegabytes = 4;
/** Milliseconds to end. One in a call of the system may hang. */
const endMs = 3_000;

export class WorkerThread {
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  readonly #ticking: NodeJS.Timeout;
  readonly #listeners: ThreadListeners;
  #silentMs = 0;
  #isOver = false;

  constructor(worker: URL, options: StoreStart, listeners: ThreadListeners) {
    this.#listeners = listeners;
    this.#worker = new Worker(worker, {
      workerData: options,
      execArgv: [],
      name: 'beadsmith store',
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    this.#worker.on('message', (message: unknown) => {
      this.#silentMs = 0;
      const { data } = FromWorker.safeParse(message);
      if (data) listeners.onMessage(data);
      else this.#over('its thread sent an unreadable message');
    });
    this.#worker.on('error', (error) => this.#over(`its thread failed: ${String(error)}`));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#over('its thread ended');
        resolve(undefined);
      });
    });
    this.#ticking = setInterval(() => this.#tick(), tickMs).unref();
  }

  post(request: Request): void {
    this.#worker.postMessage(request);
  }

  keepAlive(yes: boolean): void {
    if (yes) this.#worker.ref();
    else this.#worker.unref();
  }

  async end(): Promise<boolean> {
    this.#isOver = true;
    clearInterval(this.#ticking);
    void this.#worker.terminate();
    let late: NodeJS.Timeout | undefined;
    const hangs = new Promise<false>((resolve) => {
      late = setTimeout(() => resolve(false), endMs);
    });
    const ended = await Promise.race([this.#exited.then(() => true), hangs]);
    clearTimeout(late);
    return ended;
  }

  /** Each tick counts once, however long the machine slept. */
  #tick(): void {
    this.#silentMs = this.#listeners.isAsked() ? this.#silentMs + tickMs : 0;
    if (this.#silentMs >= this.#listeners.silentMs)
      this.#over(`its thread gave no answer for ${this.#silentMs / 1_000} s`);
  }

  #over(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listeners.onEnd(reason);
  }
}
