import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { GitCli } from '../cli/gitCli.ts';
import { placeOf } from './worktreeIndex.ts';
import type { OwnWorktree } from './worktreePlaces.ts';
import { lstatAt, realAt, textAt } from '../../system/files.ts';

/**
 * Puts submodules and Git LFS content of the person's `checkout` into a worktree
 * (docs/decisions/186-submodules-and-large-files.md). Throws GIT_FAILED, GIT_SETTING_REFUSED.
 */
export async function fillWorktree(cli: GitCli, own: OwnWorktree, checkout: string): Promise<void> {
  await fillSubmodules(cli, own, checkout);
  await fillLargeFiles(cli, own);
}

/** Copies from the local store; nothing is downloaded. */
async function fillLargeFiles(cli: GitCli, own: OwnWorktree): Promise<void> {
  const store = join(dirname(dirname(own.gitDir)), 'lfs', 'objects');
  if (!(await lstatAt(store))?.isDirectory()) return;
  // Without the filter git takes the content for a change.
  const settings = await cli.settings(placeOf(own));
  if (!settings.some(({ name }) => name === 'filter.lfs.process' || name === 'filter.lfs.clean')) return;
  // Pointers stay if the program is missing or fails: checks show whether the content matters.
  await cli.run(placeOf(own), { args: ['lfs', 'checkout'], allow: [0, 1, 2, 128] });
}

type Tree = Pick<OwnWorktree, 'path' | 'gitDir'>;

interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly source: string;
}

/**
 * Fills and resets submodules from the person's `checkout`. No server is asked, no configuration is written;
 * what the checkout lacks stays empty.
 */
async function fillSubmodules(cli: GitCli, tree: Tree, checkout: string): Promise<void> {
  for (const { name, path, source } of await submodulesOf(cli, tree, checkout)) {
    const own = { path: join(tree.path, path), gitDir: join(tree.gitDir, 'modules', name) };
    const room = await makeRoom(tree, own);
    if (room === 'none') continue;
    if (room === 'filled') {
      // Commands may have told its index that a file is unchanged.
      await rm(join(own.gitDir, 'index'), { force: true });
      await cli.run(placeOf(own), { args: ['reset', '--hard', '--quiet'] });
    }
    await cli.run(placeOf(tree), {
      args: ['submodule', '--quiet', 'update', '--checkout', '--', path],
      config: [`submodule.${name}.url=${source}`, `submodule.${name}.active=true`],
      env: { GIT_ALLOW_PROTOCOL: 'file' },
    });
    await cli.run(placeOf(own), { args: ['clean', '-f', '-f', '-d', '-x', '-q'] });
    await fillSubmodules(cli, own, join(checkout, path));
  }
}

/** Removes links above submodules: git refuses to reset a worktree in which one leads away. */
export async function removeLinksAbove(cli: GitCli, tree: Tree): Promise<void> {
  if (!(await lstatAt(join(tree.gitDir, 'modules')))) return;
  for (const { path } of await namedIn(cli, tree)) {
    const folders = path.split('/');
    for (let depth = 1; depth <= folders.length; depth++) {
      const place = join(tree.path, ...folders.slice(0, depth));
      // What is below a link isn't in the worktree.
      if (!(await lstatAt(place))?.isSymbolicLink()) continue;
      await rm(place);
      break;
    }
  }
}

async function submodulesOf(cli: GitCli, tree: Tree, checkout: string): Promise<readonly Submodule[]> {
  if (!(await lstatAt(join(tree.path, '.gitmodules')))?.isFile()) return [];
  const named = await namedIn(cli, tree);
  const found = await Promise.all(
    named.map(async (one) => ({ ...one, source: await gitFolderIn(cli, join(checkout, one.path)) })),
  );
  return found.flatMap(({ source, ...one }) => (source === undefined ? [] : [{ ...one, source }]));
}

/** Names that could mean something else are passed over. */
async function namedIn(cli: GitCli, tree: Tree): Promise<readonly Pick<Submodule, 'name' | 'path'>[]> {
  const args = [
    'config',
    '--null',
    '--blob=HEAD:.gitmodules',
    '--get-regexp',
    String.raw`^submodule\..*\.path$`,
  ];
  const { code, stdout } = await cli.run(placeOf(tree), { args, allow: [0, 1, 128] });
  if (code !== 0) return [];
  return stdout.split('\0').flatMap((setting) => {
    const [, name = '', path = ''] = /^submodule\.([^]+)\.path\n([^]+)$/.exec(setting) ?? [];
    return isPlain(name) && isPlain(path) ? [{ name, path }] : [];
  });
}

/** Relative, and with nothing that git or its configuration reads in another way. */
function isPlain(text: string): boolean {
  return (
    /^[\w.@+ -]+(?:\/[\w.@+ -]+)*$/.test(text) &&
    !text.startsWith('-') &&
    !text.split('/').some((part) => /^\.+$/.test(part))
  );
}

async function gitFolderIn(cli: GitCli, folder: string): Promise<string | undefined> {
  const real = await realAt(folder);
  if (real === undefined || !(await lstatAt(join(real, '.git')))) return undefined;
  const { code, stdout } = await cli.run(
    { cwd: real },
    { args: ['rev-parse', '--absolute-git-dir', '--show-toplevel'], allow: [0, 128] },
  );
  const [gitDir, top] = stdout.split('\n');
  return code === 0 && top === real ? gitDir : undefined;
}

/**
 * Ensures that git works in this submodule only: a real folder, linked to its own git folder; anything else
 * there is removed. `none`: it leads out of the tree.
 */
async function makeRoom(tree: Tree, own: Tree): Promise<'none' | 'empty' | 'filled'> {
  const found = await lstatAt(own.path);
  const above = await realAt(join(own.path, '..'));
  if (above !== resolve(own.path, '..') || !(above === tree.path || above.startsWith(`${tree.path}/`)))
    return 'none';
  const link = await textAt(join(own.path, '.git'));
  const target = /^gitdir: (.+)\n?$/.exec(link)?.[1];
  const isLinked =
    found?.isDirectory() === true && target !== undefined && resolve(own.path, target) === own.gitDir;
  if (isLinked && (await realAt(own.gitDir)) === own.gitDir) return 'filled';
  if (found) await rm(own.path, { recursive: true, force: true });
  await rm(own.gitDir, { recursive: true, force: true });
  await mkdir(own.path);
  return 'empty';
}
