import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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
