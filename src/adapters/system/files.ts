import { randomUUID } from 'node:crypto';
import { type Stats, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { chmod, link, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';

/** The code of a system error, `''` for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Reads a JSON file; undefined when it is missing, or doesn't match the schema. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Removes a folder and everything in it, also what a program made unwritable, as caches of packages do. None
 * is no error.
 */
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

/**
 * `durable`: it is on the disk when the call returns, and a power cut leaves the previous content or the new
 * one.
 */
interface WriteOptions {
  readonly mode?: number;
  readonly durable?: boolean;
}

/**
 * Writes a file so that everyone sees either the previous content or the new one. A link in its place is
 * replaced, not followed. The folder must exist.
 */
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

/**
 * The new name of a file itself reaches the disk. Where folders can't be opened (Windows), the system sees to
 * it.
 */
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
