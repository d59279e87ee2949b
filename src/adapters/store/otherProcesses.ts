import { type FSWatcher, watch } from 'node:fs';
import type { Disposable } from '../../base/disposable.ts';
import type { SqliteDatabase } from './sqlite/database.ts';

const pollMs = 1_000;
const settleMs = 25;

/**
 * Notices other connections' commits by `PRAGMA data_version`. The folder is watched for speed, and polled
 * because watching is unreliable.
 */
export class OtherProcesses implements Disposable {
  readonly #database: SqliteDatabase;
  readonly #onChange: () => void;
  readonly #poll: NodeJS.Timeout;
  readonly #watcher: FSWatcher | undefined;
  #soon: NodeJS.Timeout | undefined;
  #version: number | undefined;

  constructor(database: SqliteDatabase, onChange: () => void) {
    this.#database = database;
    this.#onChange = onChange;
    this.#version = this.#read();
    this.#poll = setInterval(() => this.#look(), pollMs).unref();
    this.#watcher = this.#watch();
  }

  dispose(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#soon);
    this.#watcher?.close();
  }

  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#database.folder, { persistent: false }, (_event, name) => {
        if (name?.startsWith('state.db')) this.#soon ??= setTimeout(() => this.#look(), settleMs).unref();
      });
      return watcher.on('error', () => watcher.close());
    } catch {
      return undefined; // no watches left, or none here: polling is enough
    }
  }

  #look(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const version = this.#read();
    if (version === undefined || version === this.#version) return;
    this.#version = version;
    this.#onChange();
  }

  /** Undefined while another process writes; the next read finds it. */
  #read(): number | undefined {
    try {
      return this.#database.dataVersion;
    } catch {
      return undefined;
    }
  }
}
