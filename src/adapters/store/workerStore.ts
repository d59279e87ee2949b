import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { BeadsmithError, fromRecord } from '../../domain/errors.ts';
import type { Store, StoreListener } from '../../engine/ports/storePort.ts';
import type { OpenOptions } from './openDatabase.ts';
import type { StoreMethod } from './sqliteStore.ts';
import { type Answer, changedBy, StoreMethods } from './storeMethods.ts';
import { FromWorker, type Opened, type Request } from './workerMessages.ts';

interface Pending {
  readonly method: StoreMethod | 'close';
  readonly args: readonly unknown[];
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The store that everybody uses. Each call goes to the worker that owns the database and always settles, also if the worker dies (UNEXPECTED). It
 * keeps the process alive only during a call.
 */
export class WorkerStore extends StoreMethods implements Store {
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

  /** Starts the worker and opens the database in it; see openDatabase. Throws DISK_FULL, UNEXPECTED. */
  static async open(worker: URL, options: OpenOptions): Promise<{ readonly store: WorkerStore; readonly opened: Opened }> {
    const store = new WorkerStore(worker, options);
    const opened = await store.#opened.promise;
    store.#worker.unref();
    return { store, opened };
  }

  private constructor(worker: URL, options: OpenOptions) {
    super();
    this.#worker = new Worker(worker, { workerData: options, execArgv: [], name: 'beadsmith store' });
    this.#worker.on('message', (message: unknown) => {
      this.#receive(FromWorker.parse(message));
    });
    this.#worker.on('error', (error) => {
      this.#end(new BeadsmithError('UNEXPECTED', { reason: `the database worker failed: ${String(error)}` }, { cause: error }));
    });
    this.#worker.on('exit', () => {
      this.#end(new BeadsmithError('UNEXPECTED', { reason: 'the database was closed' }));
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  protected async call<M extends StoreMethod>(method: M, args: Parameters<Store[M]>): Promise<Answer<M>> {
    if (this.#closing) throw new BeadsmithError('UNEXPECTED', { reason: 'the database was closed' });
    // The worker runs the very method whose answer the port's type describes.
    return (await this.#request(method, args)) as Answer<M>;
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
