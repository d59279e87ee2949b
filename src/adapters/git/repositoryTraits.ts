import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryTraits } from '../../engine/ports/ports.ts';
import type { GitCli, Place } from './gitCli.ts';

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

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
