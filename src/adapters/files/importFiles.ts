import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { invalidInput } from '../../domain/core/errors.ts';
import type { ImportedSource, SourceFile } from '../../domain/import/imported.ts';

interface Found {
  readonly files: SourceFile[];
  /** One file was named, and no folder. */
  readonly isFile: boolean;
  readonly left: ImportedSource['notUnderstood'];
}

const largestFile = 20_000_000;
const largestSource = 60_000_000;
const mostFiles = 5_000;
const deepest = 6;
/** Folders with a dot in front that a format has. */
const known = new Set(['.beads', '.kiro', '.specify', '.taskmaster', '.backlog']);
const skipped = new Set(['node_modules', 'dist', 'build', 'target', 'vendor']);
const mayBe = /^(?:.*\.md|tasks\.json|.*\.jsonl)$/iu;
/** Machine data beside bd's issues, and templates. */
const never = /(?:^|\/)(?:interactions|events|sessions)\.jsonl$|(?:^|\/)\.specify\/templates\//u;

/**
 * Reads a file, or the files of a folder that may belong to a format. Symbolic links are never followed, and
 * nothing outside of the named folder is read. `root`: paths are relative to it. Throws INVALID_INPUT.
 */
export async function readImportFiles(source: string, root: string): Promise<Found> {
  const top = resolve(source);
  const found: Found = { files: [], isFile: false, left: [] };
  // Also of files outside, so that two of the same name are two.
  const nameOf = (path: string): string => relative(root, path).replaceAll('\\', '/') || '.';
  const kind = await kindOf(top);
  if (kind === 'file') {
    const file = await readText(top, largestFile);
    if (typeof file !== 'object') throw invalidInput(source, file);
    return { ...found, isFile: true, files: [{ path: nameOf(top), text: file.text }] };
  }
  if (kind !== 'folder') throw invalidInput(source, kind);
  let size = 0;
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (!entries) found.left.push({ where: nameOf(folder), text: unreadable });
    for (const entry of entries?.toSorted((a, b) => order(a.name, b.name)) ?? []) {
      const path = join(folder, entry.name);
      const where = nameOf(path);
      const isHidden = entry.name.startsWith('.') && !known.has(entry.name);
      if (entry.isDirectory()) {
        if (depth < deepest && !isHidden && !skipped.has(entry.name)) await walk(path, depth + 1);
      } else if (!mayBe.test(entry.name) || isHidden || never.test(where)) continue;
      else if (entry.isSymbolicLink()) found.left.push({ where, text: linkRefused });
      // To open a pipe would wait for someone who writes.
      else if (!entry.isFile()) found.left.push({ where, text: 'It isn’t a file.' });
      else if (found.files.length >= mostFiles) found.left.push({ where, text: 'Too many files.' });
      else {
        const file = await readText(path, Math.min(largestFile, largestSource - size));
        if (typeof file === 'object') {
          size += file.text.length;
          found.files.push({ path: where, text: file.text });
        } else found.left.push({ where, text: file });
      }
    }
  };
  await walk(top, 0);
  return found;
}

const unreadable = 'It can’t be read.';
const linkRefused = 'Symbolic links aren’t followed.';

async function kindOf(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => undefined);
  if (!stat) return 'no such file or directory';
  if (stat.isSymbolicLink()) return linkRefused;
  return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'not a file';
}

/** The text, or why there is none. */
async function readText(path: string, most: number): Promise<{ readonly text: string } | string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!handle) return unreadable;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return 'It isn’t a file.';
    if (stat.size > most) return 'It is too large.';
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile()) };
  } catch {
    return 'It isn’t UTF-8 text.';
  } finally {
    await handle.close();
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
