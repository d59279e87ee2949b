import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/sha256.ts';

/** Longer than a notification is of interest. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * The notifications that any window on a repository has shown: one small file each, created by the first
 * window.
 */
export class NoticeClaims {
  readonly #folder: string;

  /** `stateFolder`: `<git common dir>/beadsmith`. */
  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'notices');
  }

  /** Returns true if this window is the one to show the notification; also where nothing can be written. */
  async claim(key: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true }).catch(() => undefined);
    try {
      await writeFile(join(this.#folder, sha256(key).slice(0, 24)), '', { flag: 'wx' });
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
    }
    void this.#forget();
    return true;
  }

  async #forget(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > keptMs) await rm(path, { force: true });
    }
  }
}
