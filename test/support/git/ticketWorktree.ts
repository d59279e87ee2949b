import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ticketBranch } from '../../../src/domain/core/ids.ts';
import type { Git } from '../../../src/engine/ports/ports.ts';
import type { TempRepository } from './tempRepository.ts';

/** Folders as copied to `folder`, and the root that git's links name. */
interface Added {
  readonly folder: string;
  readonly root: string;
  readonly path: string;
}

const known = new Map<string, Added>();
let models: string | undefined;

/**
 * The product adds it the first time; a repository with the same content gets a copy, for which no git is
 * started.
 */
export async function ticketWorktree(
  repository: TempRepository,
  git: Git,
  ticket: string,
  commit: string,
): Promise<string> {
  const before = filesOf(repository.root);
  const key = JSON.stringify([ticket, commit, ...before]);
  const added = known.get(key);
  if (added) return copied(added, repository.root);
  const { path } = await git.addWorktree({ ticket, branch: ticketBranch(ticket), commit });
  const after = filesOf(repository.root);
  const isAlone =
    path.startsWith(`${repository.root}.worktrees/`) &&
    [...before].every(([file, text]) => after.get(file) === text);
  if (isAlone) known.set(key, keep(repository.root, path));
  return path;
}

/** Files by name, and what those say that aren't named by their content. */
function filesOf(root: string): ReadonlyMap<string, string> {
  const folder = join(root, '.git');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
  const isNamedByContent = (file: string): boolean => file.startsWith('objects/') || file === 'index';
  return new Map(
    files.map((file) => [
      file,
      isNamedByContent(file) ? '' : readFileSync(join(folder, file), 'utf8').replaceAll(root, ''),
    ]),
  );
}

function keep(root: string, path: string): Added {
  models ??= mkdtempSync(join(tmpdir(), 'beadsmith-worktrees-'));
  const all = models;
  if (known.size === 0) process.once('exit', () => rmSync(all, { recursive: true, force: true }));
  const folder = join(all, String(known.size));
  copy(join(root, '.git'), join(folder, '.git'));
  copy(`${root}.worktrees`, join(folder, 'worktrees'));
  return { folder, root, path: path.slice(root.length) };
}

function copied({ folder, root: before, path }: Added, root: string): string {
  copy(join(folder, '.git'), join(root, '.git'));
  copy(join(folder, 'worktrees'), `${root}.worktrees`);
  const links = readdirSync(join(root, '.git', 'worktrees')).map((name) =>
    join(root, '.git', 'worktrees', name, 'gitdir'),
  );
  for (const link of [...links, join(`${root}${path}`, '.git')])
    writeFileSync(link, readFileSync(link, 'utf8').replace(before, root));
  return `${root}${path}`;
}

/** What is there already stays. */
function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, force: false });
}
