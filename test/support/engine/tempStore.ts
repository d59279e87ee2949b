import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../src/adapters/store/sql/database.ts';
import { SqliteDatabase } from '../../../src/adapters/store/sqlite/database.ts';
import { migrate } from '../../../src/adapters/store/file/migrate.ts';
import { SqliteStore } from '../../../src/adapters/store/sqliteStore.ts';
import type { SqlStore } from '../../../src/adapters/store/sqlStore.ts';
import type { AnyStore } from '../storeContract/anyStore.ts';
import { callSync, changedBy, storeCalls } from '../../../src/adapters/store/sql/workerMessages.ts';
import { whenFree } from '../../../src/adapters/store/sql/whenFree.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import type { Store, StoreListener } from '../../../src/engine/ports/storePort.ts';
import { folderAt, tempFolder } from '../tempFolder.ts';

/** A real store in this thread, without a worker. */
export interface DirectStore extends Store {
  readonly sync: SqlStore;
}

export function directStore(sync: SqlStore): DirectStore {
  const changed = new Emitter<Parameters<StoreListener>>();
  const calls = storeCalls(Object.keys(sync.calls), async (method, args) => {
    const answer = await whenFree(() => callSync(sync.calls, method, args));
    for (const change of changedBy(method, args, answer)) changed.emit(change);
    // In production answers cross as JSON: nobody may depend on shared objects.
    return structuredClone(answer);
  });
  const close = async (): Promise<void> => {
    sync.close();
  };
  const onDidChange = (listener: StoreListener): Disposable => changed.on((change) => listener(...change));
  return { ...calls, sync, onDidChange, close };
}

/** Runs SQL as damage or another program would. */
export function tamper(folder: string, sql: string, work?: (database: Database) => void): void {
  const database = new SqliteDatabase(folder);
  database.exec(sql);
  work?.(database);
  database.close();
}

export interface TempStore extends AnyStore {
  /** Holds `state.db`. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** Making tables takes longer than most tests write. */
let empty: Buffer | undefined;

interface TempStoreOptions {
  /** The time that is recorded; default: the real one. */
  readonly now?: () => number;
  /** One that may hold a database; default: a new one. */
  readonly folder?: string;
}

export function tempStore(options: TempStoreOptions = {}): TempStore {
  const { now = () => Date.now(), folder: given } = options;
  const folder = given === undefined ? tempFolder('store') : folderAt(given);
  const state = join(folder.path, 'beadsmith');
  mkdirSync(state, { recursive: true });
  const opened: DirectStore[] = [];
  const file = join(state, 'state.db');
  if (empty && !existsSync(file)) writeFileSync(file, empty);
  const open = (): DirectStore => {
    const database = new SqliteDatabase(state);
    database.exec('PRAGMA synchronous = OFF'); // nothing here outlives a power loss
    migrate(database, now());
    if (given === undefined) empty ??= readFileSync(database.path);
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
    tamper: (sql, work) => tamper(state, sql, work),
    remove: async () => {
      for (const store of opened) store.sync.close();
      folder.remove();
    },
  };
}

/** Called inside `describe`; stores are removed after each test. */
export function tempStores(): (options?: TempStoreOptions) => TempStore {
  const made: TempStore[] = [];
  afterEach(() => Promise.all(made.splice(0).map((store) => store.remove())));
  return (options) => {
    const store = tempStore(options);
    made.push(store);
    return store;
  };
}
