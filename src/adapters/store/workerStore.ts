import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { BeadsmithError, fromRecord } from '../../domain/errors.ts';
import type { Store, StoreListener } from '../../engine/ports/storePort.ts';
import type { OpenOptions } from './openDatabase.ts';
import { changedBy, storeCalls, FromWorker, type Opened, type Request } from './workerMessages.ts';

interface Pending {
  readonly method: string;
  readonly args: readonly unknown[];
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts the worker and opens the database in it; see openDatabase. Throws DISK_FULL, UNEXPECTED. */
export async function openWorkerStore(worker: URL, options: OpenOptions): Promise<{ readonly store: Store; readonly opened: Opened }> {
  const thread = new StoreWorker(worker, options);
  const opened = await thread.opened();
  const calls = storeCalls(opened.methods, (method, args) => thread.call(method, args));
  return { store: { ...calls, onDidChange: thread.onDidChange, close: () => thread.close() }, opened };
}

/**
 * The store that every caller uses. Each call goes to the worker that owns the database and always settles, also if the worker dies (UNEXPECTED). It
 * keeps the process alive only during a call.
 */
class StoreWorker {
  readonly #worker: Worker;
  readonly #changed = new Emitter<Parameters<StoreListener>>();
  readonly #pending = new Map<number, Pending>();
  readonly #opened = Promise.withResolvers<Opened>();
  #lastId = 0;
  #ended: Error | undefined;
  #closing: Promise<void> | undefined;

  readonly onDidChange = (listener: StoreListener): Disposable =>
    this.#changed.on((change) => {
      listener(...change);
    });

  constructor(worker: URL, options: OpenOptions) {
    this.#worker = new Worker(worker, { workerData: options, execArgv: [], name: 'beadsmith store' });
    this.#worker.on('message', (message: unknown) => {
      const { data, error } = FromWorker.safeParse(message);
      if (data) this.#receive(data);
      else this.#end(new BeadsmithError('UNEXPECTED', { reason: 'the database worker sent an unreadable message' }, { cause: error }));
    });
    this.#worker.on('error', (error) => {
      this.#end(new BeadsmithError('UNEXPECTED', { reason: `the database worker failed: ${String(error)}` }, { cause: error }));
    });
    this.#worker.on('exit', () => {
      this.#end(new BeadsmithError('UNEXPECTED', { reason: 'the database was closed' }));
    });
  }

  /** What the worker found when it opened the database. From then on it keeps no process alive. */
  async opened(): Promise<Opened> {
    const opened = await this.#opened.promise;
    this.#worker.unref();
    return opened;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#closing) throw new BeadsmithError('UNEXPECTED', { reason: 'the database was closed' });
    return this.#request(method, args);
  }

  async #close(): Promise<void> {
    if (!this.#ended) await this.#request('close', []).catch(() => undefined);
    await this.#worker.terminate();
  }

  #request(method: Request['method'], args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      const id = ++this.#lastId;
      this.#worker.postMessage({ id, method, args });
      if (this.#pending.size === 0) this.#worker.ref();
      this.#pending.set(id, { method, args, resolve, reject });
    });
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'opened':
        this.#opened.resolve(message.opened);
        return;
      case 'failed':
        this.#end(fromRecord(message.error));
        return;
      case 'changed':
        this.#changed.emit([undefined]);
        return;
      case 'error':
        this.#settle(message.id)?.reject(fromRecord(message.error));
        return;
      case 'answer': {
        const pending = this.#settle(message.id);
        pending?.resolve(message.value);
        if (!pending || pending.method === 'close') return;
        for (const ticket of changedBy(pending.method, pending.args, message.value))
          this.#changed.emit(pending.method === 'commit' ? [ticket, 'commit'] : [ticket]);
      }
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    return pending;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#opened.reject(this.#ended);
    for (const pending of this.#pending.values()) pending.reject(this.#ended);
    this.#pending.clear();
  }
}
