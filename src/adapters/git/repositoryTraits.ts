import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesakes } from '../../domain/guarded/impossibleNames.ts';
import type { Repository, RepositoryTraits } from '../../engine/ports/ports.ts';
import { isTrue } from './commits/signing.ts';
import type { GitCli, Place } from './cli/gitCli.ts';

/**
 * Finds the traits of a repository that make its worktrees differ from what its person has, at a commit.
 * `root`: the person's checkout.
 */
export async function repositoryTraits(cli: GitCli, root: string, commit: string): Promise<RepositoryTraits> {
  const place: Place = { cwd: root };
  const text = async (...args: readonly string[]): Promise<string> =>
    (await cli.run(place, { args, allow: [0, 1, 128] })).stdout;
  const listed = await text('ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit);
  const entries = listed.split('\0').flatMap((line) => {
    const [, mode = '', path = ''] = /^(\d+) \w+ [0-9a-f]+\t([^]*)$/.exec(line) ?? [];
    return path === '' ? [] : [{ mode, path }];
  });
  const shallow = (await text('rev-parse', '--is-shallow-repository')).trim() === 'true';
  const filtered = await text(
    'grep',
    '-l',
    '-z',
    '-I',
    '-F',
    '-e',
    'filter=lfs',
    commit,
    '--',
    ':(top,glob)**/.gitattributes',
  );
  const settings = await cli.settings(place);
  return {
    submodules: await emptyIn(
      root,
      entries.filter(({ mode }) => mode === '160000').map(({ path }) => path),
    ),
    lfs: filtered !== '' || (await exists(join(root, '.lfsconfig'))),
    sparse: isTrue(settings.findLast(({ name }) => name === 'core.sparsecheckout')?.value ?? 'false'),
    shallow,
    partial: settings.some(({ name }) => /^remote\..*\.promisor$/.test(name)),
    oddPaths: entries.filter(({ path }) => /[\n\r\t\\]/.test(path)).map(({ path }) => path),
    namesakes: namesakes(entries.map(({ path }) => path)),
    foldsCase: isTrue(settings.findLast(({ name }) => name === 'core.ignorecase')?.value ?? 'false'),
    longestPath: entries.reduce((longest, { path }) => Math.max(longest, Buffer.byteLength(path)), 0),
  };
}

/** The repository and the person's checkout, as git sees them now. */
export async function repositoryNow(
  cli: GitCli,
  { root, commonDir }: { readonly root: string; readonly commonDir: string },
): Promise<Repository> {
  const { stdout } = await cli.run(
    { cwd: root },
    {
      args: [
        'status',
        '--porcelain=v2',
        '--branch',
        '--no-ahead-behind',
        '-z',
        '--no-renames',
        '--untracked-files=normal',
        '--ignore-submodules=dirty',
      ],
    },
  );
  const records = stdout.split('\0');
  const said = (name: string): string =>
    records.find((record) => record.startsWith(`# ${name} `))?.slice(name.length + 3) ?? '';
  const [commit, branch] = [said('branch.oid'), said('branch.head')];
  return {
    root,
    commonDir,
    hasCommits: commit !== '(initial)',
    headBranch: branch === '(detached)' ? null : branch,
    headCommit: commit === '(initial)' ? null : commit,
    dirty: records.filter((record) => /^[1u?] /.test(record)).length,
  };
}

/** The folders of submodules that the checkout doesn't have either. */
async function emptyIn(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const filled = await Promise.all(paths.map((path) => exists(join(root, path, '.git'))));
  return paths.filter((_, at) => filled[at] !== true);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
