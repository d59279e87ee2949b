import { open, mkdir, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startedByAgent } from '../system/startedBy.ts';

/** Far more than a driver takes to notice an entry. */
const patienceMs = 30_000;

/**
 * Shows the driver which process filed a decision: that process keeps a file open for writing until the
 * driver has found it through the system's list of open files. A key that was read from a disk doesn't help a
 * process that an agent started (docs/decisions/110-decisions-are-sealed.md).
 */
export class Witness {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'deciding');
  }

  /** Files something, visible until it was seen, or `isAlone` says that nobody is there to see it. */
  async during<T>(
    id: string,
    seal: string,
    file: () => Promise<T>,
    isAlone: () => Promise<boolean>,
  ): Promise<T> {
    if (process.platform !== 'linux') return file();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.#fileOf(id), 'w', 0o600);
    try {
      await handle.writeFile(`${String(process.pid)} ${seal}`);
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

  /** Checks whether a person's process files this entry: taken for true if open files aren't shown. */
  async saw(id: string, seal: string): Promise<boolean> {
    if (process.platform !== 'linux') return true;
    const [pid = '', ...rest] = (await readFile(this.#fileOf(id), 'utf8').catch(() => '')).split(' ');
    if (!/^\d+$/.test(pid) || rest.join(' ') !== seal) return false;
    return (
      (await this.#keepsOpen(pid, this.#fileOf(id))) && startedByAgent(Number(pid), process.pid) === false
    );
  }

  /** Tells the process that files an entry that it was seen. */
  forget(id: string): Promise<void> {
    return rm(this.#fileOf(id), { force: true });
  }

  /** Others may read the file, for example to index a disk; only the process that made it writes. */
  async #keepsOpen(pid: string, file: string): Promise<boolean> {
    for (const number of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      if ((await readlink(`/proc/${pid}/fd/${number}`).catch(() => '')) !== file) continue;
      const info = await readFile(`/proc/${pid}/fdinfo/${number}`, 'utf8').catch(() => '');
      if (/^flags:\s+\d*[12]$/m.test(info)) return true;
    }
    return false;
  }

  #fileOf(id: string): string {
    return join(this.#folder, encodeURIComponent(id));
  }
}
