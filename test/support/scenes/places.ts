import { hash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import { removeFolder } from '../../../src/adapters/system/files.ts';
import { FileLock, type HeldLock } from '../../../src/adapters/system/lock.ts';

/**
 * A prepared ticket only works in the folder in which it was made: its journal's hash chain holds absolute
 * paths.
 */
export const places = join(realpathSync(tmpdir()), `beadsmith-scenes-${hash('sha256', root).slice(0, 8)}`);

/** A fixed path that one test at a time has to itself. */
export class Place {
  readonly name: string;
  readonly folder: string;
  readonly #lock: HeldLock;

  private constructor(name: string, lock: HeldLock) {
    this.name = name;
    this.folder = join(places, name);
    this.#lock = lock;
  }

  /** The first place of a kind that no other process has. Removes what an earlier one left. */
  static async take(kind: string): Promise<Place> {
    mkdirSync(places, { recursive: true, mode: 0o700 });
    for (let number = 0; ; number++) {
      const name = `${kind}-${String(number)}`;
      const attempt = await new FileLock(join(places, `${name}.lock`)).tryTake();
      if (attempt.kind !== 'held') continue;
      const place = new Place(name, attempt.lock);
      await place.empty();
      return place;
    }
  }

  async empty(): Promise<void> {
    await removeFolder(this.folder);
    await mkdir(this.folder, { mode: 0o700 });
  }

  async release(): Promise<void> {
    await removeFolder(this.folder);
    await this.#lock.release();
  }
}
