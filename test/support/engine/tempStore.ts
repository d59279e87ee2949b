import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../src/adapters/store/sqlite/database.ts';
import { migrate } from '../../../src/adapters/store/file/migrate.ts';
import { SqliteStore } from '../../../src/adapters/store/sqliteStore.ts';
import { callSync, changedBy, storeCalls } from '../../../src/adapters/store/sqlite/workerMessages.ts';
import { whenFree } from '../../../src/adapters/store/sqlite/sqliteErrors.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import type { Store, StoreListener } from '../../../src/engine/ports/storePort.ts';
import { tempFolder } from '../tempFolder.ts';

/** The real SQLite store in this thread: what unit tests of engine and phases use, without a worker. */
export interface DirectStore extends Store {
  readonly sync: SqliteStore;
}

export function directStore(sync: SqliteStore): DirectStore {
  const changed = new Emitter<Parameters<StoreListener>>();
  const calls = storeCalls(Object.keys(sync.calls), async (method, args) => {
    const answer = await whenFree(() => callSync(sync.calls, method, args));
    for (const change of changedBy(method, args, answer)) changed.emit(change);
    // What the store answers crosses as JSON in production; the same here, so that nobody depends on shared
    // objects.
    return structuredClone(answer);
  });
  const close = async (): Promise<void> => {
    sync.close();
  };
  const onDidChange = (listener: StoreListener): Disposable => changed.on((change) => listener(...change));
  return { ...calls, sync, onDidChange, close };
}

export interface TempStore {
  readonly store: DirectStore;
  /** The state folder, with `state.db` in it. */
  readonly folder: string;
  /**
   * Closes the store and opens the same database again as the next driver: what a restart sees. The previous
   * store's writes fail from then on.
   */
  reopen(): DirectStore;
  /** Closes and removes everything. */
  remove(): Promise<void>;
}

/** The database with its tables and nothing in them: making them takes longer than most tests write. */
let empty: Buffer | undefined;

/** A driver's store in a temporary folder. `now` gives the time that is recorded; default: the real one. */
export function tempStore(options: { readonly now?: () => number } = {}): TempStore {
  const folder = tempFolder('store');
  const state = join(folder.path, 'beadsmith');
  mkdirSync(state);
  const opened: DirectStore[] = [];
  const now = options.now ?? (() => Date.now());
  if (empty) writeFileSync(join(state, 'state.db'), empty);
  const open = (): DirectStore => {
    const database = new Database(state);
    database.exec('PRAGMA synchronous = OFF'); // the disk of a busy machine is slow, and nothing here outlives a power loss
    migrate(database, now());
    empty ??= readFileSync(database.path);
    const sync = new SqliteStore(database, now);
    sync.adopt();
    const store = directStore(sync);
    opened.push(store);
    return store;
  };
  return {
    store: open(),
    folder: state,
    reopen: open,
    remove: async () => {
      for (const store of opened) store.sync.close();
      folder.remove();
    },
  };
}

/** Called inside `describe`: answers a maker of stores that are removed after each test. */
export function tempStores(): (options?: { readonly now?: () => number }) => TempStore {
  const made: TempStore[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((store) => store.remove()));
  });
  return (options) => {
    const store = tempStore(options);
    made.push(store);
    return store;
  };
}
