import { randomUUID } from 'node:crypto';
import {
  type PathLike,
  type Stats,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import {
  lstat,
  chmod,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';

/** A system error's code, `''` for others. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Undefined for nothing; of a link itself. */
export function lstatAt(path: PathLike): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/** Undefined for nothing; of a link's target. */
export function statAt(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** The real path; undefined for nothing. */
export function realAt(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Empty for nothing that can be read. */
export function textAt(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** None for nothing that can be read. */
export function namesAt(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** True also for a link to nothing. */
export async function exists(path: string): Promise<boolean> {
  return (await lstatAt(path)) !== undefined;
}

/** Checks whether a path is this folder, or is in it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** Makes a folder, with those above, for this user alone. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Undefined when it is missing, or doesn't match. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Removes also unwritable folders, as in caches. None is no error. */
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

/** `durable`: on the disk when this returns; a power cut leaves one content or the other. */
interface WriteOptions {
  readonly mode?: number;
  readonly durable?: boolean;
}

/** Everyone sees one content or the other. Replaces a link. The folder must exist. */
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

/** Durable, for a thread that may wait for its disk. */
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

/** Syncs a file's new name. On Windows no folder opens, and the system does it. */
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
 * Makes a file that must not exist; answers whether this call did. One of several processes wins. Readers
 * find it whole, except without hard links.
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
 * Removes a file if it is the one `seen`; answers whether it is gone. Renamed first: another process may have
 * replaced it meanwhile, and that one is put back.
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

/** A longer path of a Unix socket is cut off or refused. */
export const socketPathBytes = process.platform === 'darwin' ? 103 : 107;
/** Most bytes of a database's path, with its journal's. */
export const databasePathBytes = 512 - '-journal'.length;

/** Undefined if it fits. */
export function pathTooLong(path: string, most: number): BeadsmithError | undefined {
  const bytes = Buffer.byteLength(path);
  return bytes > most ? new BeadsmithError('PATH_TOO_LONG', { path, bytes, most }) : undefined;
}
