import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { BeadsmithError, fromRecord } from '../../domain/core/errors.ts';
import type {
  Claim,
  Claims,
  CommitPlace,
  CommitPlaces,
  LogPiece,
  SharedLog,
  Store,
  StoreListener,
} from '../../engine/ports/storePort.ts';
import {
  keepDriverReads,
  changedBy,
  type FromWorker,
  isWrite,
  type Opened,
  sayWaitingMs,
  storeCalls,
} from './sql/workerMessages.ts';
import { type StoreStart, WorkerThread } from './workerThread.ts';

/**
 * `waiting`: another process locked it, since milliseconds since 1970. `lost`: this process can't use it any
 * more.
 */
export type StoreState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'waiting'; readonly since: number }
  | { readonly kind: 'lost'; readonly error: BeadsmithError };

export interface WorkerStore {
  readonly store: Store;
  /** Of a runner in a team's database. */
  readonly claims: Claims;
  /** In a team's database. */
  readonly places: CommitPlaces;
  /** In a team's database. */
  readonly log: SharedLog;
  readonly opened: Opened;
  readonly state: () => StoreState;
  readonly onDidChangeState: (listener: (state: StoreState) => void) => Disposable;
  /** Ends long waits for locks: the process is about to end (DATABASE_BUSY). */
  readonly hurry: () => void;
}

interface WorkerLimits {
  readonly silentMs: number;
}

/** Throws DISK_FULL, DATABASE_BUSY, UNEXPECTED. */
export async function openWorkerStore(
  worker: URL,
  options: StoreStart,
  limits: WorkerLimits = { silentMs: 60_000 },
): Promise<WorkerStore> {
  const thread = new StoreWorker(worker, options, limits);
  const opened = await thread.opened();
  const read = storeCalls(opened.methods, (method, args) => thread.call(method, args));
  const calls = opened.epoch === null ? read : keepDriverReads(read, thread.onDidChange);
  return {
    store: { ...calls, onDidChange: thread.onDidChange, close: () => thread.close() },
    claims: {
      claim: async (...args) => (await thread.call('claim', args)) as Claim | null,
      release: async (ticket) => void (await thread.call('release', [ticket])),
    },
    places: {
      of: async (ticket) => (await thread.call('placeOf', [ticket])) as CommitPlace,
      settle: async (...args) => void (await thread.call('settle', args)),
    },
    log: {
      append: async (...args) => void (await thread.call('appendLog', args)),
      after: async (...args) => (await thread.call('logAfter', args)) as readonly LogPiece[],
    },
    opened,
    state: () => thread.state,
    onDidChangeState: thread.onDidChangeState,
    hurry: () => thread.hurry(),
  };
}

interface Pending {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
  deaths: number;
  sent: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Within ten minutes. */
const mostDeaths = 3;
const deathsWithinMs = 600_000;
/** A read that two threads died of isn't repeated. */
const deadlyTimes = 2;
const restartPauseMs = 100;
/** Milliseconds that a close waits for writes, and then for the last backup. */
const closingMs = 2_000;

/**
 * Every call goes to the database's thread, and settles. Writes are serial, so that none overtakes one that
 * waits for a lock; reads don't wait for untold writes. A dead thread is replaced under its epoch, and asked
 * again. Keeps the process alive only during a call.
 */
class StoreWorker {
  readonly onDidChange: (listener: StoreListener) => Disposable;
  readonly onDidChangeState: WorkerStore['onDidChangeState'];
  readonly #worker: URL;
  readonly #options: StoreStart;
  readonly #limits: WorkerLimits;
  readonly #writer = randomUUID();
  readonly #changed = new Emitter<Parameters<StoreListener>>();
  readonly #stateChanged = new Emitter<StoreState>();
  readonly #pending = new Map<number, Pending>();
  readonly #opened = Promise.withResolvers<Opened>();
  readonly #waiting = new Set<number>();
  readonly #deaths: number[] = [];
  #thread: WorkerThread;
  #state: StoreState = { kind: 'ready' };
  #lastId = 0;
  #first: Opened | undefined;
  #isRestarting = false;
  #isHurried = false;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  constructor(worker: URL, options: StoreStart, limits: WorkerLimits) {
    this.#worker = worker;
    this.#options = options;
    this.#limits = limits;
    this.onDidChange = (listener) =>
      this.#changed.on((change) => {
        listener(...change);
      });
    this.onDidChangeState = this.#stateChanged.on;
    this.#thread = this.#start();
  }

  get state(): StoreState {
    return this.#state;
  }

  async opened(): Promise<Opened> {
    const opened = await this.#opened.promise;
    this.#keepAlive();
    return opened;
  }

  hurry(): void {
    this.#isHurried = true;
    this.#post({ id: ++this.#lastId, method: 'hurry', args: [] });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#closing)
      return Promise.reject(new BeadsmithError('UNEXPECTED', { reason: 'the database was closed' }));
    return this.#request(method, args);
  }

  async #close(): Promise<void> {
    this.hurry();
    if (this.#pending.size > 0) await this.#drain();
    if (this.#state.kind !== 'lost') {
      void this.#request('close', []).catch(() => undefined);
      await this.#drain();
    }
    await this.#thread.end();
  }

  async #drain(): Promise<void> {
    const late = setTimeout(() => this.#drained?.(), closingMs);
    await new Promise<void>((resolve) => (this.#drained = resolve));
    clearTimeout(late);
    this.#rejectAll(new BeadsmithError('DATABASE_BUSY', { seconds: closingMs / 1_000 }));
  }

  #request(method: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#state.kind === 'lost') {
        reject(this.#state.error);
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { id, method, args, deaths: 0, sent: false, resolve, reject });
      this.#send();
      this.#keepAlive();
    });
  }

  #send(): void {
    if (this.#isRestarting) return;
    let isWriting = false;
    for (const pending of this.#pending.values()) {
      const waits = isWriting && isWrite(pending.method);
      isWriting ||= isWrite(pending.method);
      if (pending.sent || waits) continue;
      pending.sent = true;
      try {
        this.#post(pending, pending.deaths > 0);
      } catch (error) {
        // It can't cross between threads: nothing was sent, and the next write may go.
        this.#take(pending.id)?.reject(error instanceof Error ? error : new Error(String(error)));
        this.#send();
        return;
      }
    }
  }

  #post({ id, method, args }: Pick<Pending, 'id' | 'method' | 'args'>, again = false): void {
    this.#thread.post({ id, method, args: [...args], again });
  }

  #start(): WorkerThread {
    const options = { ...this.#options, writer: this.#writer, epoch: this.#first?.epoch ?? null };
    const thread: WorkerThread = new WorkerThread(this.#worker, options, {
      silentMs: this.#limits.silentMs,
      isAsked: () =>
        !this.#isRestarting &&
        [...this.#pending.values()].some(({ sent, method }) => sent && method !== 'check'),
      onMessage: (message) => {
        if (thread === this.#thread) this.#receive(message);
      },
      onEnd: (reason) => {
        if (thread === this.#thread) void this.#died(reason);
      },
    });
    return thread;
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'opened':
        this.#isOpen(message.opened);
        return;
      case 'failed':
        this.#lose(fromRecord(message.error));
        return;
      case 'changed':
        this.#changed.emit([undefined]);
        return;
      case 'waiting':
        if (this.#pending.has(message.id)) this.#waiting.add(message.id);
        this.#tellState();
        return;
      case 'error':
        this.#take(message.id)?.reject(fromRecord(message.error));
        this.#send();
        return;
      case 'answer': {
        const pending = this.#take(message.id);
        pending?.resolve(message.value);
        this.#send();
        if (!pending || pending.method === 'close') return;
        for (const change of changedBy(pending.method, pending.args, message.value))
          this.#changed.emit(change);
      }
    }
  }

  #isOpen(opened: Opened): void {
    const { reason } = opened;
    if (this.#first && this.#first.mode === 'open' && opened.mode !== 'open') {
      const lost = new BeadsmithError('DATABASE_LOST', { reason: 'it can no longer be written' });
      this.#lose(reason ? fromRecord(reason) : lost);
      return;
    }
    this.#first ??= opened;
    this.#isRestarting = false;
    if (this.#isHurried) this.hurry();
    this.#opened.resolve(opened);
    this.#send();
    this.#keepAlive();
  }

  /** Replaces a dead thread, and asks again what it didn't answer. */
  async #died(reason: string): Promise<void> {
    const dead = this.#thread;
    const now = performance.now();
    this.#deaths.push(now);
    const recent = this.#deaths.filter((at) => now - at < deathsWithinMs).length;
    this.#isRestarting = true;
    this.#waiting.clear();
    const ended = await dead.end();
    const lost = new BeadsmithError(this.#first ? 'DATABASE_LOST' : 'UNEXPECTED', { reason });
    if (!this.#first || !ended || this.#closing || recent >= mostDeaths) {
      this.#lose(lost);
      return;
    }
    for (const pending of [...this.#pending.values()].filter(({ sent }) => sent)) {
      pending.deaths++;
      pending.sent = false;
      if (pending.deaths >= deadlyTimes && !isWrite(pending.method)) this.#take(pending.id)?.reject(lost);
    }
    await pause(restartPauseMs);
    this.#thread = this.#start();
  }

  #lose(error: BeadsmithError): void {
    if (this.#state.kind === 'lost') return;
    this.#state = { kind: 'lost', error };
    this.#opened.promise.catch(() => undefined);
    this.#opened.reject(error);
    this.#rejectAll(error);
    if (this.#first) this.#stateChanged.emit(this.#state);
  }

  #rejectAll(error: Error): void {
    for (const { id } of [...this.#pending.values()]) this.#take(id)?.reject(error);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#waiting.delete(id);
    this.#tellState();
    this.#keepAlive();
    if (this.#pending.size === 0) this.#drained?.();
    return pending;
  }

  #tellState(): void {
    const waits = this.#waiting.size > 0;
    if (this.#state.kind === 'lost' || waits === (this.#state.kind === 'waiting')) return;
    this.#state = waits ? { kind: 'waiting', since: Date.now() - sayWaitingMs } : { kind: 'ready' };
    this.#stateChanged.emit(this.#state);
  }

  #keepAlive(): void {
    this.#thread.keepAlive(this.#pending.size > 0);
  }
}
