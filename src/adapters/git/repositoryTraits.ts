import { access } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { constants } from 'node:fs';
import { namesakes } from '../../domain/guarded/impossibleNames.ts';
import type { Repository, RepositoryTraits } from '../../engine/ports/ports.ts';
import { isTrue } from './commits/commits.ts';
import type { GitCli, Place } from './cli/gitCli.ts';
import type { FoundHook } from '../../domain/environment/gitHooks.ts';
import type { Setting } from './settings/foreignSettings.ts';
import { exists, textAt, succeeds } from '../system/files.ts';

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
  const attributes = ['--', ':(top,glob)**/.gitattributes'];
  const filtered = await text('grep', '-l', '-z', '-I', '-F', '-e', 'filter=lfs', commit, ...attributes);
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

export async function repositoryNow(
  cli: GitCli,
  { root, commonDir }: { readonly root: string; readonly commonDir: string },
): Promise<Repository> {
  const what = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z'];
  const how = ['--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const { stdout } = await cli.run({ cwd: root }, { args: [...what, ...how] });
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

async function emptyIn(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const filled = await Promise.all(paths.map((path) => exists(join(root, path, '.git'))));
  return paths.filter((_, at) => filled[at] !== true);
}

const hookNames = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-push'];
const managers = {
  husky: /\bhusky\b/,
  'pre-commit': /pre-commit\.com|\bpre_commit\b/,
  lefthook: /\blefthook\b/,
} as const;

export async function hooksIn(cli: GitCli, root: string, commonDir: string): Promise<readonly FoundHook[]> {
  const args = ['config', '--null', '--show-scope', '--type=path', '--get-regexp', '^core\\.hookspath$'];
  const { stdout } = await cli.run({ cwd: root }, { args, allow: [0, 1] });
  // Our own calls switch hooks off by a `command` setting.
  const set = parseEntries(stdout).findLast(({ scope }) => scope !== 'command')?.value;
  const folder = set === undefined ? join(commonDir, 'hooks') : resolve(root, set);
  const found: FoundHook[] = [];
  for (const name of hookNames) {
    const path = join(folder, name);
    if (await succeeds(access(path, constants.X_OK)))
      found.push({ name, path: shortPath(root, path), manager: await managerOf(path) });
  }
  return found;
}

async function managerOf(path: string): Promise<string | null> {
  const text = `${path}\n${await textAt(path)}`;
  return Object.entries(managers).find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

function shortPath(root: string, path: string): string {
  const below = relative(root, path);
  return below.startsWith('..') ? path : below;
}

/** Parses `git config --null --show-scope --get-regexp`. A name without a value is true. */
function parseEntries(output: string): readonly Pick<Setting, 'scope' | 'name' | 'value'>[] {
  const fields = output.split('\0');
  return fields.flatMap((scope, at) => {
    const [name = '', ...value] = (fields[at + 1] ?? '').split('\n');
    return at % 2 === 0 && name !== ''
      ? [{ scope, name, value: value.length === 0 ? 'true' : value.join('\n') }]
      : [];
  });
}
