import { readFile, readdir, readlink, writeFile, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { removeIfSame, codeOf, readJson, statAt } from '../../system/files.ts';
import type { Place } from './gitCli.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { ProcessIdentity, livenessOf, ownIdentity } from '../../system/processes.ts';

/**
 * Removes the old lock of a killed git in a worktree of ours, never in the person's checkout
 * (docs/decisions/012-git-calls.md). Answers whether it did.
 */
export async function removeStaleLock(lock: string, place: Place): Promise<boolean> {
  if (place.gitDir === undefined || !lock.startsWith(place.gitDir + sep)) return false;
  return removeUnowned(lock, [place.cwd, place.gitDir]);
}

/** Does the same in a whole clone that is ours, with its worktrees beside it. */
export async function removeLockOf(lock: string, clone: string): Promise<boolean> {
  if (!lock.startsWith(join(clone, '.git') + sep)) return false;
  const holder = await readJson(lock, Mark);
  if (holder && (await livenessOf(holder)) !== 'dead') return false;
  return removeUnowned(lock, [clone, `${clone}.worktrees`]);
}

async function removeUnowned(lock: string, folders: readonly string[]): Promise<boolean> {
  const found = await statAt(lock);
  // Gone: try again. A new one belongs to another process.
  if (!found) return true;
  // The clock may have been set back since.
  const age = Math.abs(Date.now() - found.mtimeMs);
  const running = await isGitRunningIn(folders);
  if (running === true || age < (running === undefined ? unseenMs : seenMs)) return false;
  return removeIfSame(lock, found);
}

/** Age in milliseconds from which a lock without a living owner is stale, and where nobody can tell. */
const seenMs = 3_000;
const unseenMs = 30_000;

async function isGitRunningIn(folders: readonly string[]): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      const name = (await readFile(join('/proc', pid, 'comm'), 'utf8')).trim();
      // A prompt's helper such as gitstatusd holds no lock.
      if (name !== 'git' && !name.startsWith('git-')) continue;
      const cwd = await readlink(join('/proc', pid, 'cwd'));
      if (folders.some((folder) => cwd === folder || cwd.startsWith(folder + sep))) return true;
    } catch {
      // ended, or another process's
    }
  }
  return false;
}

const Mark = ProcessIdentity.extend({ beadsmith: z.literal(true) });

/**
 * Holds git's index locks of these git dirs during a task, so that git refuses a person's commands there. A
 * lock that a killed process left is recognized and removed. Throws GIT_LOCKED.
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
  const found = await statAt(lock);
  // An index takes more bytes than a mark.
  if (!found || found.size > 1_000) return;
  const holder = await readJson(lock, Mark);
  if (holder && (await livenessOf(holder)) === 'dead') await removeIfSame(lock, found);
}
