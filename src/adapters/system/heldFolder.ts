import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, lstatAt, realAt } from './files.ts';

type Unreachable = 'missing' | 'blocked';

/** `folder` is a path to this folder whatever happens to its name. */
type Work<T> = (folder: string) => Promise<T>;

/**
 * Works in a folder below `root` through real folders alone (`parts`). On Linux handles hold them, so that a
 * link put there meanwhile isn't followed (`O_NOFOLLOW`); elsewhere each is checked first. `make`: missing
 * ones are made. `root` may be a link.
 */
export async function inHeldFolder<T>(
  root: string,
  parts: readonly string[],
  { make = false }: { readonly make?: boolean },
  work: Work<T>,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: Unreachable }> {
  const hold = process.platform === 'linux' ? holdByHandle : holdByName;
  const held = await hold(root);
  if (!held) return { ok: false, why: 'missing' };
  try {
    for (const part of parts) {
      if (make) await mkdir(join(held.path, part)).catch(ignoreExisting);
      const why = await held.enter(part);
      if (why !== undefined) return { ok: false, why };
    }
    return { ok: true, value: await work(held.path) };
  } finally {
    await held.release();
  }
}

/** Follows no link. None is no error. */
export async function removeHeld(folder: string, name: string): Promise<void> {
  const found = await lstatAt(join(folder, name));
  if (found?.isDirectory() !== true) return unlink(join(folder, name)).catch(ignoreMissing);
  await inHeldFolder(folder, [name], {}, async (inner) => {
    for (const entry of await readdir(inner)) await removeHeld(inner, entry);
  });
  await rmdir(join(folder, name)).catch(ignoreMissing);
}

interface Held {
  readonly path: string;
  readonly enter: (part: string) => Promise<Unreachable | undefined>;
  readonly release: () => Promise<void>;
}

async function holdByHandle(root: string): Promise<Held | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let handle: FileHandle;
  try {
    handle = await open(root, O_RDONLY | O_DIRECTORY);
  } catch {
    return undefined;
  }
  const pathOf = (): string => `/proc/self/fd/${handle.fd}`;
  return {
    get path() {
      return pathOf();
    },
    enter: async (part) => {
      try {
        const next = await open(join(pathOf(), part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        await handle.close();
        handle = next;
        return undefined;
      } catch (error) {
        return codeOf(error) === 'ENOENT' ? 'missing' : 'blocked';
      }
    },
    release: () => handle.close(),
  };
}

async function holdByName(root: string): Promise<Held | undefined> {
  let path = await realAt(root);
  if (path === undefined) return undefined;
  return {
    get path() {
      return path ?? root;
    },
    enter: async (part) => {
      const next = join(path ?? root, part);
      const found = await lstatAt(next);
      if (!found) return 'missing';
      if (!found.isDirectory()) return 'blocked';
      path = next;
      return undefined;
    },
    release: () => Promise.resolve(),
  };
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}
