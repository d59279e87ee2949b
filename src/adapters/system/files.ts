import { randomUUID } from 'node:crypto';
import { type Stats, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { lstat, chmod, link, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';

/** The code of a system error, `''` for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Checks whether anything is at a path, a link included. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Reads a JSON file; undefined when it is missing, or doesn't match the schema. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Removes a folder and everything in it, even if unwritable, as caches are. None is no error. */
export async function removeFolder(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await remove();
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error))) throw error;
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o700);
    await remove();
  }
}

/** `durable`: on the disk when the call returns; a power cut leaves one content or the other. */
interface WriteOptions {
  readonly mode?: number;
  readonly durable?: boolean;
}

/** Writes a file: everyone sees one content or the other. Replaces a link. The folder must exist. */
export async function writeAtomically(
  file: string,
  content: string,
  options: WriteOptions = {},
): Promise<void> {
  const temporary = await writeTemporary(file, content, options);
  try {
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (options.durable ?? true) await syncFolder(dirname(file));
}

/** The same for a thread that may wait for its disk. Always durable. */
export function writeAtomicallySync(file: string, content: string, mode = 0o644): void {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      const bytes = Buffer.from(content);
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolderSync(dirname(file));
}

/** Has a new name of a file reach the disk. On Windows, where no folder opens, the system does. */
export function syncFolderSync(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a file that must not exist yet; answers whether it was this call that made it. Of several processes
 * that try, one wins. A reader finds the file whole, except where the file system has no hard links: there a
 * reader may come between creation and content.
 */
export async function createExclusively(
  file: string,
  content: string,
  options: WriteOptions & { readonly hardLinks?: boolean } = {},
): Promise<boolean> {
  if (options.hardLinks === false) return createWithoutLink(file, content);
  const temporary = await writeTemporary(file, content, { mode: 0o600, ...options });
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    return await createWithoutLink(file, content);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Removes a file if it still is the one that was `seen`; answers whether it is gone. It is renamed first,
 * because between checking and removing another process may have put a new one in its place: that one is put
 * back.
 */
export async function removeIfSame(file: string, seen: Pick<Stats, 'ino' | 'mtimeMs'>): Promise<boolean> {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
  const { ino, mtimeMs } = await stat(aside);
  const isSame = ino === seen.ino && mtimeMs === seen.mtimeMs;
  if (!isSame) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  return isSame;
}

async function createWithoutLink(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Writes beside the file, under a name that nobody else uses. */
async function writeTemporary(
  file: string,
  content: string,
  { mode = 0o644, durable = true }: WriteOptions,
): Promise<string> {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  if (!handle) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** Most bytes of a Unix socket's path: more is cut off or refused on Linux, and on macOS. */
export const socketPathBytes = process.platform === 'darwin' ? 103 : 107;
/** The most bytes of the path of a database and of the journal that SQLite writes beside it. */
export const databasePathBytes = 512 - '-journal'.length;

/** The error for a path that has more bytes than fit; undefined if it fits. */
export function pathTooLong(path: string, most: number): BeadsmithError | undefined {
  const bytes = Buffer.byteLength(path);
  return bytes > most ? new BeadsmithError('PATH_TOO_LONG', { path, bytes, most }) : undefined;
}
