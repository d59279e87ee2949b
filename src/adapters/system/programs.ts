import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Environment } from './commandEnvironment.ts';

const gitNames: readonly string[] = process.platform === 'win32' ? ['git.exe'] : ['git'];

/** Git's path, or several to look for, before PATH: the editor's `git.path`. */
export const gitVariable = 'BEADSMITH_GIT';

export function findGit(env: Environment, inside: readonly string[] = []): string | undefined {
  const named = (env[gitVariable] ?? '').split(delimiter).filter((path) => isAbsolute(path));
  return (
    named.find((path) => isProgram(path) && !isInside(path, inside)) ?? findProgram(gitNames, env, inside)
  );
}

/**
 * The full path of a program by the first name on PATH, never inside these folders
 * (docs/decisions/115-hostile-repositories.md). A bare name is never started: systems look it up by other
 * rules.
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
 * PATH without what a repository decides: relative entries, `node_modules/.bin`, and what is or leads inside
 * these folders.
 */
export function safePath(env: Environment, inside: readonly string[] = []): string {
  const entries = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  const roots = rootsOf(inside);
  const isSafe = (folder: string): boolean =>
    isAbsolute(folder) && !ofPackages.test(folder) && !isBelow(folder, roots);
  return entries.filter(isSafe).join(delimiter);
}

export function withSafePath(env: Environment, inside: readonly string[]): Environment {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH'));
  return { ...kept, PATH: safePath(env, inside) };
}

const ofPackages = /[\\/]node_modules[\\/]\.bin[\\/]*$/;

/**
 * The folders that a repository fills, without git, which isn't found yet: the checkout around `folder`, the
 * main one, and worktrees.
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

function textOf(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function isInside(path: string, folders: readonly string[]): boolean {
  return isBelow(path, rootsOf(folders));
}

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
