import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './files.ts';

/** A folder on the way is missing, or something else is in its place. */
export type Unreachable = 'missing' | 'blocked';

/** Work that finds the folder at a path that leads to this very folder whatever happens to its name. */
type Work<T> = (folder: string) => Promise<T>;

/**
 * Does something in a folder below `root`, which is reached through real folders alone. `parts`: their names.
 * On Linux each is held by a handle from then on, so that a link which an agent puts in its place meanwhile
 * is never followed (`openat` with `O_NOFOLLOW`); elsewhere each is checked first. `make`: missing ones are
 * made. `root` itself may be a link.
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

/** Removes a file or folder from a held folder, following no link. None is no error. */
export async function removeHeld(folder: string, name: string): Promise<void> {
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (found?.isDirectory() !== true) return unlink(join(folder, name)).catch(ignoreMissing);
  await inHeldFolder(folder, [name], {}, async (inner) => {
    for (const entry of await readdir(inner)) await removeHeld(inner, entry);
  });
  await rmdir(join(folder, name)).catch(ignoreMissing);
}

interface Held {
  readonly path: string;
  /** Goes one folder down. */
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
  const pathOf = (): string => `/proc/self/fd/${String(handle.fd)}`;
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
  let path = await realpath(root).catch(() => undefined);
  if (path === undefined) return undefined;
  return {
    get path() {
      return path ?? root;
    },
    enter: async (part) => {
      const next = join(path ?? root, part);
      const found = await lstat(next).catch(() => undefined);
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
