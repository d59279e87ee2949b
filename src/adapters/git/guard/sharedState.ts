import { lstat, readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * The state that all worktrees of a repository share, as it is on the disk. `refs`: hash or `ref: …` by name.
 * `files`: by path in the git common dir.
 */
export interface SharedState {
  readonly refs: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** A text that is longer is no hook or setting that a person wrote; only its length is compared. */
const longest = 256 * 1024;
const watched = [
  'config',
  'config.worktree',
  'HEAD',
  'info/attributes',
  'info/exclude',
  'info/sparse-checkout',
  'logs/refs/stash',
];

let packed = { stamp: '', refs: {} as Readonly<Record<string, string>> };

/** Reads it without a process, because it is read around every command. Refs of ours are left out. */
export async function readSharedState(commonDir: string): Promise<SharedState> {
  const [tops, loose, files, hooks] = await Promise.all([
    packedRefs(join(commonDir, 'packed-refs')),
    looseRefs(commonDir),
    Promise.all(watched.map(async (name) => [name, await textOf(join(commonDir, name))] as const)),
    hooksOf(commonDir),
  ]);
  const found = [...files, ...hooks].filter(
    (entry): entry is readonly [string, string] => entry[1] !== undefined,
  );
  return { refs: { ...tops, ...Object.fromEntries(loose) }, files: Object.fromEntries(found) };
}

export function isOwnRef(ref: string): boolean {
  return /^refs\/(?:beadsmith|notes\/beadsmith|heads\/ticket)(?:\/|$)/.test(ref);
}

async function looseRefs(commonDir: string): Promise<readonly (readonly [string, string])[]> {
  const top = await readdir(join(commonDir, 'refs'), { withFileTypes: true }).catch(() => []);
  const folders = top
    .filter((entry) => entry.isDirectory() && entry.name !== 'beadsmith')
    .map(({ name }) => join(commonDir, 'refs', name));
  const below = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  const paths = [
    ...top.map((entry) => ({ entry, folder: join(commonDir, 'refs') })),
    ...below.flat().map((entry) => ({ entry, folder: entry.parentPath })),
  ]
    .filter(({ entry }) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map(({ entry, folder }) => join(folder, entry.name));
  const refs = paths
    .map((path) => [relative(commonDir, path).split(sep).join('/'), path] as const)
    .filter(([ref]) => !isOwnRef(ref));
  const read = await Promise.all(
    refs.map(
      async ([ref, path]) => [ref, (await readFile(path, 'latin1').catch(() => undefined))?.trim()] as const,
    ),
  );
  return read.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
}

async function packedRefs(path: string): Promise<Readonly<Record<string, string>>> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return {};
  const stamp = `${path}:${String(found.ino)}:${String(found.mtimeMs)}:${String(found.size)}`;
  if (packed.stamp === stamp) return packed.refs;
  const refs: Record<string, string> = {};
  for (const [, hash = '', ref = ''] of (await readFile(path, 'utf8')).matchAll(
    /^([0-9a-f]{40,64}) (refs\/\S+)$/gm,
  )) {
    if (!isOwnRef(ref)) refs[ref] = hash;
  }
  packed = { stamp, refs };
  return refs;
}

async function hooksOf(commonDir: string): Promise<readonly (readonly [string, string | undefined])[]> {
  const names = (await readdir(join(commonDir, 'hooks')).catch(() => [])).filter(
    (name) => !name.endsWith('.sample'),
  );
  return Promise.all(
    names.map(async (name) => [`hooks/${name}`, await textOf(join(commonDir, 'hooks', name))] as const),
  );
}

async function textOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return found.size > longest
    ? `(${String(found.size)} bytes)`
    : readFile(path, 'latin1').catch(() => undefined);
}
