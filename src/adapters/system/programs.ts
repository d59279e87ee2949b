import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The names of git's program here. */
const gitNames: readonly string[] = process.platform === 'win32' ? ['git.exe'] : ['git'];

/** The variable that names git, or several to look for, before PATH: the editor's `git.path`. */
export const gitVariable = 'BEADSMITH_GIT';

/** The path of git: the first named that is there, else the first on PATH; none of these folders. */
export function findGit(env: Environment, inside: readonly string[] = []): string | undefined {
  const named = (env[gitVariable] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  return (
    named.find((path) => isProgram(path) && !isInside(path, inside)) ?? findProgram(gitNames, env, inside)
  );
}

/**
 * The full path of a program, the first of these names on PATH, never one from inside these folders
 * (docs/decisions/115-hostile-repositories.md). Undefined if there is none: a name alone is never started,
 * because the system would look it up by other rules.
 */
export function findProgram(
  names: readonly string[],
  env: Environment,
  inside: readonly string[] = [],
): string | undefined {
  const files = safePath(env, inside)
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return files.find((file) => isProgram(file) && !isInside(file, inside));
}

/**
 * PATH without what a repository decides: relative entries, which mean whatever folder a program is in,
 * `node_modules/.bin`, and what lies inside these folders, by its name or by a link.
 */
export function safePath(env: Environment, inside: readonly string[] = []): string {
  const entries = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  const roots = rootsOf(inside);
  const isSafe = (folder: string): boolean =>
    isAbsolute(folder) && !ofPackages.test(folder) && !isBelow(folder, roots);
  return entries.filter(isSafe).join(delimiter);
}

/** As `safePath`, as an environment. */
export function withSafePath(env: Environment, inside: readonly string[]): Environment {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH'));
  return { ...kept, PATH: safePath(env, inside) };
}

const ofPackages = /[\\/]node_modules[\\/]\.bin[\\/]*$/;

/**
 * The folders that a repository and its worktrees fill, found without git, which isn't found yet: the
 * checkout around a folder, the main one, and the worktrees beside it.
 */
export function repositoryFolders(folder: string): readonly string[] {
  for (let at = realOf(folder); ; at = dirname(at)) {
    const link = textOf(join(at, '.git'));
    if (link !== undefined) {
      const gitDir = /^gitdir: (.+)$/m.exec(link)?.[1];
      const own = resolve(at, gitDir?.trim() ?? '.git');
      const common = resolve(own, textOf(join(own, 'commondir'))?.trim() ?? '.');
      const main = basename(common) === '.git' ? dirname(common) : common;
      return [...new Set([at, main, `${main}.worktrees`])];
    }
    if (dirname(at) === at) return [];
  }
}

/** The text of a file; empty for a folder, undefined if there is nothing. */
function textOf(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Checks whether a path, or what it links to, lies inside one of these folders. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return isBelow(path, rootsOf(folders));
}

/** Folders, and what they link to. */
function rootsOf(folders: readonly string[]): readonly string[] {
  return [...new Set(folders.flatMap((folder) => [folder, realOf(folder)]))];
}

function isBelow(path: string, roots: readonly string[]): boolean {
  if (roots.length === 0) return false;
  return [path, realOf(path)].some((way) => roots.some((root) => lies(way, root)));
}

function lies(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
