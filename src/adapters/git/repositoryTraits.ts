import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository, RepositoryTraits } from '../../engine/ports/ports.ts';
import type { GitCli, Place } from './gitCli.ts';
import type { Revisions } from './revisions.ts';

/** What of a repository makes worktrees of it differ from what its person has, at a commit. `root`: the person's checkout. */
export async function repositoryTraits(cli: GitCli, root: string, commit: string): Promise<RepositoryTraits> {
  const place: Place = { cwd: root };
  const text = async (...args: readonly string[]): Promise<string> => (await cli.run(place, { args, allow: [0, 1, 128] })).stdout;
  const listed = await text('ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit);
  const entries = listed.split('\0').flatMap((line) => {
    const [, mode = '', path = ''] = /^(\d+) \w+ [0-9a-f]+\t([^]*)$/.exec(line) ?? [];
    return path === '' ? [] : [{ mode, path }];
  });
  const shallow = (await text('rev-parse', '--is-shallow-repository')).trim() === 'true';
  const filtered = await text('grep', '-l', '-z', '-I', '-F', '-e', 'filter=lfs', commit, '--', ':(top,glob)**/.gitattributes');
  return {
    submodules: entries.filter(({ mode }) => mode === '160000').map(({ path }) => path),
    lfs: filtered !== '' || (await exists(join(root, '.lfsconfig'))),
    sparse: (await text('config', '--bool', 'core.sparseCheckout')).trim() === 'true',
    shallow,
    partial: (await text('config', '--get-regexp', '^remote\\..*\\.promisor$')) !== '',
    oddPaths: entries.filter(({ path }) => /[\n\r\t\\]/.test(path)).map(({ path }) => path),
    longestPath: entries.reduce((longest, { path }) => Math.max(longest, Buffer.byteLength(path)), 0),
  };
}

/** The repository and the person's checkout, as git sees them now. */
export async function repositoryNow(
  cli: GitCli,
  revisions: Revisions,
  { root, commonDir }: { readonly root: string; readonly commonDir: string },
): Promise<Repository> {
  const at = { cwd: root };
  const head = await cli.run(at, { args: ['symbolic-ref', '--quiet', '--short', 'HEAD'], allow: [0, 1] });
  const headCommit = await revisions.find(at, 'HEAD');
  const status = await cli.run(at, {
    args: ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'],
  });
  const dirty = status.stdout.split('\0').filter((record) => /^[1u?] /.test(record)).length;
  return {
    root,
    commonDir,
    hasCommits: headCommit !== undefined,
    headBranch: head.stdout.trim() || null,
    headCommit: headCommit ?? null,
    dirty,
  };
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
