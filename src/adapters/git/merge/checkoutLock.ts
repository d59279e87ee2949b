import { stat, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { codeOf, readJson, removeIfSame } from '../../system/files.ts';
import { ProcessIdentity, livenessOf, ownIdentity } from '../../system/processes.ts';

const Mark = ProcessIdentity.extend({ beadsmith: z.literal(true) });

/**
 * Holds git's own locks of the index of these git dirs while a task runs: a person's `git switch`, `commit`,
 * `stash` or `merge` there is refused by git meanwhile. The lock says whose it is, so that one which a killed
 * process left is known again and removed. Throws GIT_LOCKED.
 */
export async function withCheckoutsLocked<T>(
  gitDirs: readonly string[],
  patienceMs: number,
  task: () => Promise<T>,
): Promise<T> {
  const mark = JSON.stringify({ beadsmith: true, ...(await ownIdentity()) });
  const deadline = Date.now() + patienceMs;
  const held: string[] = [];
  try {
    for (const gitDir of gitDirs) {
      const lock = join(gitDir, 'index.lock');
      while (!(await take(lock, mark))) {
        if (Date.now() > deadline) throw new BeadsmithError('GIT_LOCKED', { path: lock });
        await pause(50);
      }
      held.push(lock);
    }
    return await task();
  } finally {
    for (const lock of held) await rm(lock, { force: true });
  }
}

async function take(lock: string, mark: string): Promise<boolean> {
  try {
    await writeFile(lock, mark, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    await removeAbandoned(lock);
    return false;
  }
}

async function removeAbandoned(lock: string): Promise<void> {
  const found = await stat(lock).catch(() => undefined);
  // An index takes more bytes than a mark.
  if (!found || found.size > 1_000) return;
  const holder = await readJson(lock, Mark);
  if (holder && (await livenessOf(holder)) === 'dead') await removeIfSame(lock, found);
}
