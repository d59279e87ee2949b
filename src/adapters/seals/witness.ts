import { open, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startedByAgent } from '../system/startedBy.ts';
import { namesAt, textAt, makePrivateFolder } from '../system/files.ts';

const patienceMs = 30_000;

/**
 * Shows the driver which process filed a decision: it keeps a file open until the driver found it in the
 * system's list. A stolen key doesn't help an agent's process (docs/decisions/110-decisions-are-sealed.md).
 */
export class Witness {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'deciding');
  }

  /** Visible until it was seen, or `isAlone` says that nobody is there. */
  async during<T>(
    id: string,
    seal: string,
    file: () => Promise<T>,
    isAlone: () => Promise<boolean>,
  ): Promise<T> {
    if (process.platform !== 'linux') return file();
    await makePrivateFolder(this.#folder);
    const handle = await open(this.#fileOf(id), 'w', 0o600);
    try {
      await handle.writeFile(`${process.pid} ${seal}`);
      const filed = await file();
      const deadline = performance.now() + patienceMs;
      while ((await handle.stat()).nlink > 0 && performance.now() < deadline && !(await isAlone()))
        await pause(20);
      return filed;
    } finally {
      await handle.close();
      await this.forget(id);
    }
  }

  /** True where the system doesn't show open files. */
  async saw(id: string, seal: string): Promise<boolean> {
    if (process.platform !== 'linux') return true;
    const [pid = '', ...rest] = (await textAt(this.#fileOf(id))).split(' ');
    if (!/^\d+$/.test(pid) || rest.join(' ') !== seal) return false;
    return (
      (await this.#keepsOpen(pid, this.#fileOf(id))) && startedByAgent(Number(pid), process.pid) === false
    );
  }

  forget(id: string): Promise<void> {
    return rm(this.#fileOf(id), { force: true });
  }

  /** Readers may open the file too, as to index a disk; only its process writes. */
  async #keepsOpen(pid: string, file: string): Promise<boolean> {
    for (const number of await namesAt(`/proc/${pid}/fd`)) {
      if ((await readlink(`/proc/${pid}/fd/${number}`).catch(() => '')) !== file) continue;
      const info = await textAt(`/proc/${pid}/fdinfo/${number}`);
      if (/^flags:\s+\d*[12]$/m.test(info)) return true;
    }
    return false;
  }

  #fileOf(id: string): string {
    return join(this.#folder, encodeURIComponent(id));
  }
}
