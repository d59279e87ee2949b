import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { invalidInput } from '../../domain/core/errors.ts';
import type { ImportedSource, SourceFile } from '../../domain/import/imported.ts';

interface ImportReading {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of a source; what is larger is left out. */
  readonly largest?: number;
  /** Any text, not only files that a format may have. What is no text is left out. */
  readonly anyText?: boolean | undefined;
  /** The paths to leave out in a folder, relative to it; folders end with a slash. */
  readonly ignoredIn?: ((folder: string) => Promise<readonly string[]>) | undefined;
  /** Called after each file. */
  readonly tell?: (() => void) | undefined;
}

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
export async function readImportFiles(
  source: string,
  root: string,
  { signal, tell, anyText = false, largest = largestSource, ignoredIn }: ImportReading = {},
): Promise<Found> {
  const top = resolve(source);
  const found: Found = { files: [], isFile: false, left: [] };
  // Also of files outside, so that two of the same name are two.
  const nameOf = (path: string): string => relative(root, path).replaceAll('\\', '/') || '.';
  const kind = await kindOf(top);
  if (kind === 'file') {
    const file = await readText(top, Math.min(largestFile, largest));
    if (typeof file !== 'object') throw invalidInput(source, file);
    return { ...found, isFile: true, files: [{ path: nameOf(top), text: file.text }] };
  }
  if (kind !== 'folder') throw invalidInput(source, kind);
  const ignored = new Set(await ignoredIn?.(top));
  let size = 0;
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (!entries) found.left.push({ where: nameOf(folder), text: unreadable });
    for (const entry of entries?.toSorted((a, b) => order(a.name, b.name)) ?? []) {
      signal?.throwIfAborted();
      const path = join(folder, entry.name);
      const where = nameOf(path);
      const name = relative(top, path).replaceAll('\\', '/');
      if (ignored.has(entry.isDirectory() ? `${name}/` : name)) continue;
      const isHidden = entry.name.startsWith('.') && !known.has(entry.name);
      if (entry.isDirectory()) {
        if (depth < deepest && !isHidden && !skipped.has(entry.name)) await walk(path, depth + 1);
      } else if (!(anyText || mayBe.test(entry.name)) || isHidden || never.test(where)) continue;
      else if (entry.isSymbolicLink()) found.left.push({ where, text: linkRefused });
      // To open a pipe would wait for someone who writes.
      else if (!entry.isFile()) found.left.push({ where, text: 'It isn’t a file.' });
      else if (found.files.length >= mostFiles) found.left.push({ where, text: 'Too many files.' });
      else {
        const file = await readText(path, Math.min(largestFile, largest - size));
        if (typeof file === 'object') {
          size += file.text.length;
          found.files.push({ path: where, text: file.text });
        } else if (!anyText || file !== noText) found.left.push({ where, text: file });
        tell?.();
      }
    }
  };
  await walk(top, 0);
  return found;
}

const placeNames = new Set([
  ...known,
  'specs',
  'backlog',
  // Of Task Master, also in its folder `tasks`.
  'tasks.json',
]);
const mostPlaces = 50;
const mostLooked = 2_000;
const deepestPlace = 3;

/**
 * Paths of files and folders that may be sources, by their names: at the top of a checkout, and of the
 * folders in it. Reads no file.
 */
export async function findImportPlaces(
  root: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [root];
  let looked = 0;
  for (let depth = 0; depth <= deepestPlace && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      signal?.throwIfAborted();
      if (looked >= mostLooked || found.length >= mostPlaces) return found;
      looked += 1;
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((a, b) => order(a.name, b.name))) {
        const isPlace = placeNames.has(entry.name);
        if (isPlace && (entry.isDirectory() || (entry.isFile() && entry.name === 'tasks.json')))
          found.push(join(folder, entry.name));
        else if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.has(entry.name))
          below.push(join(folder, entry.name));
      }
    }
    level = below;
  }
  return found.slice(0, mostPlaces);
}

const unreadable = 'It can’t be read.';
const noText = 'It isn’t UTF-8 text.';
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
    return { text: textOf(await handle.readFile()) };
  } catch {
    return noText;
  } finally {
    await handle.close();
  }
}

/** Shells of Windows write UTF-16, which begins with its mark. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const name =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(name, { fatal: true }).decode(bytes);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
