import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputSize } from '../../engine/ports/workplacePort.ts';
import { leadsOut } from './provideInputs.ts';

/** More than this takes too long to count, and is too much to copy. */
const mostBytes = 1_000_000_000;
const mostFiles = 50_000;

/**
 * Sizes up a file or folder of the checkout, without following the links in it, and finds a link that leads
 * out of the repository; undefined if it isn't there. It stops counting at a gigabyte, and at 50,000 files,
 * and looks for no link where there is more.
 */
export async function inputSize(checkout: string, path: string): Promise<InputSize | undefined> {
  const size = await sizeOf(join(checkout, path));
  const link = size === undefined || size.isMore ? undefined : await leadsOut(checkout, path);
  return size && (link === undefined ? size : { ...size, link });
}

async function sizeOf(path: string): Promise<InputSize | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (!found.isDirectory()) return { bytes: found.size, files: 1, isMore: false };
  let [bytes, files] = [0, 0];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inner);
      else {
        files += 1;
        bytes += (await lstat(inner).catch(() => undefined))?.size ?? 0;
      }
      if (bytes > mostBytes || files > mostFiles) return { bytes, files, isMore: true };
    }
  }
  return { bytes, files, isMore: false };
}
