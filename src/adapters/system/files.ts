import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that must not exist yet; answers whether it was this call that made it. Of several processes that try, one wins. Whoever reads
 * the file finds it whole, because it gets its name only when its content is on the disk.
 */
export async function createExclusively(path: string, content: string): Promise<boolean> {
  const temporary = await writeTemporary(path, content);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    return await createWithoutLink(path, content);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Replaces a file as a whole: readers see the former content or the new one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = await writeTemporary(path, content);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The code of a system error, `''` for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Some file systems know no hard links. There a reader may come between creation and content, and has to look again. */
async function createWithoutLink(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function writeTemporary(path: string, content: string): Promise<string> {
  const temporary = `${path}.${randomUUID()}.part`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

/**
 * Writes a file so that everyone sees either the former content or the new one, also after a power cut unless it isn't `durable`. A link in its place
 * is replaced, not followed. The folder must exist.
 */
export async function writeAtomically(
  file: string,
  content: string,
  { mode = 0o644, durable = true }: { readonly mode?: number; readonly durable?: boolean } = {},
): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (durable) await syncFolder(dirname(file));
}

/** The new name itself reaches the disk. Where folders can't be opened (Windows), the system sees to it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  if (!handle) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
