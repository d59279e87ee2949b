import { type FSWatcher, watch } from 'node:fs';
import * as z from 'zod';
import type { Disposable } from '../../base/disposable.ts';
import type { Database } from './sqlite/database.ts';

const pollMs = 1_000;
const settleMs = 25;
const Version = z.object({ data_version: z.number() });

/**
 * Notices commits of other connections: `PRAGMA data_version` changes with those and never with our own. The
 * folder is watched for speed, and polled because watching isn't reliable everywhere.
 */
export class OtherProcesses implements Disposable {
  readonly #database: Database;
  readonly #onChange: () => void;
  readonly #poll: NodeJS.Timeout;
  readonly #watcher: FSWatcher | undefined;
  #soon: NodeJS.Timeout | undefined;
  #version: number | undefined;

  constructor(database: Database, onChange: () => void) {
    this.#database = database;
    this.#onChange = onChange;
    this.#version = this.#read();
    this.#poll = setInterval(() => {
      this.#look();
    }, pollMs).unref();
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
      return undefined; // no watches left, or a file system without them: polling is enough
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

  /** Undefined while another process is writing; the next read finds it. */
  #read(): number | undefined {
    try {
      return Version.parse(this.#database.get('PRAGMA data_version')).data_version;
    } catch {
      return undefined;
    }
  }
}
