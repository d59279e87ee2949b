import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { Mutex } from '../../base/mutex.ts';
import { BeadsmithError } from '../../domain/errors.ts';

/**
 * One change at a time to the list of worktrees of a repository, over all processes: git's own bookkeeping breaks when worktrees are added and
 * removed side by side (docs/decisions/012-git-calls.md). Throws GIT_LOCKED when the lock isn't free in time.
 */
export class MetadataLock {
  readonly #file: string;
  readonly #patienceMs: number;

  /** `file`: the lock file, in the state folder of the repository; made as needed. */
  constructor(file: string, patienceMs: number) {
    this.#file = file;
    this.#patienceMs = patienceMs;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    return turns.run(this.#file, async () => {
      await this.#acquire();
      try {
        return await task();
      } finally {
        await unlink(this.#file).catch(() => undefined);
      }
    });
  }

  async #acquire(): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true });
    const deadline = Date.now() + this.#patienceMs;
    for (let pause = 10; ; pause = Math.min(pause * 2, 500)) {
      if (await this.#create()) return;
      if (await this.#removeStale()) continue;
      if (Date.now() > deadline) throw new BeadsmithError('GIT_LOCKED', { path: this.#file });
      await sleep(pause);
    }
  }

  async #create(): Promise<boolean> {
    try {
      const handle = await open(this.#file, 'wx');
      await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
      await handle.close();
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  /** Removes the lock of a dead process, by renaming it, so that of two processes only one succeeds. */
  async #removeStale(): Promise<boolean> {
    try {
      const content = await readFile(this.#file, 'utf8');
      const { mtimeMs } = await stat(this.#file);
      if (!isStale(content, Date.now() - mtimeMs)) return false;
      const aside = `${this.#file}.${process.pid}`;
      await rename(this.#file, aside);
      // Between reading and renaming another process may have taken the lock: restore it.
      if ((await readFile(aside, 'utf8')) !== content) await link(aside, this.#file).catch(() => undefined);
      await unlink(aside);
      return true;
    } catch {
      return true; // it is gone: try again
    }
  }
}

/** Queues within this process, by lock file, so that several instances for one repository wait for each other. */
const turns = new Mutex();

const Owner = z.object({ pid: z.number().int().positive(), host: z.string() });
const abandonedMs = 10 * 60_000;

function isStale(content: string, ageMs: number): boolean {
  if (ageMs > abandonedMs) return true;
  const owner = Owner.safeParse(parsed(content));
  // A process that died between creating and writing leaves an empty file.
  if (!owner.success) return ageMs > 5_000;
  return owner.data.host === hostname() && !isAlive(owner.data.pid);
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
