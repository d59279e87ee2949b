import { lstat, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { GitCli } from '../cli/gitCli.ts';
import { placeOf } from './worktreeIndex.ts';
import type { OwnWorktree } from './worktreePlaces.ts';

/**
 * Gives a worktree what git's own checkout leaves out and the person's checkout has: submodules, and the
 * content of files in Git LFS (docs/decisions/186-submodules-and-large-files.md). `checkout`: the person's
 * folder. Throws GIT_FAILED and GIT_SETTING_REFUSED.
 */
export async function fillWorktree(cli: GitCli, own: OwnWorktree, checkout: string): Promise<void> {
  await fillSubmodules(cli, own, checkout);
  await fillLargeFiles(cli, own);
}

/** Puts the content that is in the local store in the place of its pointer; nothing is downloaded. */
async function fillLargeFiles(cli: GitCli, own: OwnWorktree): Promise<void> {
  const store = join(dirname(dirname(own.gitDir)), 'lfs', 'objects');
  if (!(await lstat(store).catch(() => undefined))?.isDirectory()) return;
  // Without the filter git takes the content for a change.
  const settings = await cli.settings(placeOf(own));
  if (!settings.some(({ name }) => name === 'filter.lfs.process' || name === 'filter.lfs.clean')) return;
  // Pointers stay if its program is missing or fails: whether the work needs the content shows in checks.
  await cli.run(placeOf(own), { args: ['lfs', 'checkout'], allow: [0, 1, 2, 128] });
}

/** A worktree of ours, or a submodule in one: real paths. */
type Tree = Pick<OwnWorktree, 'path' | 'gitDir'>;

interface Submodule {
  readonly name: string;
  readonly path: string;
  /** The git folder that the person's checkout has for it. */
  readonly source: string;
}

/**
 * Fills the submodules of a worktree from those that the person's checkout has, and puts back what was
 * changed in them. No server is asked, and no configuration is written: what the checkout doesn't have stays
 * empty (docs/decisions/186-submodules-and-large-files.md). `checkout`: the person's folder.
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
  if (!(await lstat(join(tree.gitDir, 'modules')).catch(() => undefined))) return;
  for (const { path } of await namedIn(cli, tree)) {
    const folders = path.split('/');
    for (let depth = 1; depth <= folders.length; depth++) {
      const place = join(tree.path, ...folders.slice(0, depth));
      // What is below a link isn't in the worktree.
      if (!(await lstat(place).catch(() => undefined))?.isSymbolicLink()) continue;
      await rm(place);
      break;
    }
  }
}

/** The submodules that a tree names and the checkout has. */
async function submodulesOf(cli: GitCli, tree: Tree, checkout: string): Promise<readonly Submodule[]> {
  if (!(await lstat(join(tree.path, '.gitmodules')).catch(() => undefined))?.isFile()) return [];
  const named = await namedIn(cli, tree);
  const found = await Promise.all(
    named.map(async (one) => ({ ...one, source: await gitFolderIn(cli, join(checkout, one.path)) })),
  );
  return found.flatMap(({ source, ...one }) => (source === undefined ? [] : [{ ...one, source }]));
}

/** The submodules that the commit of a tree names. Names that could mean something else are passed over. */
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

/** Relative, and with nothing in it that git, or its configuration, reads in another way. */
function isPlain(text: string): boolean {
  return (
    /^[\w.@+ -]+(?:\/[\w.@+ -]+)*$/.test(text) &&
    !text.startsWith('-') &&
    !text.split('/').some((part) => /^\.+$/.test(part))
  );
}

/** The git folder of a submodule that is checked out there; undefined for any other folder. */
async function gitFolderIn(cli: GitCli, folder: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await lstat(join(real, '.git')).catch(() => undefined))) return undefined;
  const { code, stdout } = await cli.run(
    { cwd: real },
    { args: ['rev-parse', '--absolute-git-dir', '--show-toplevel'], allow: [0, 128] },
  );
  const [gitDir, top] = stdout.split('\n');
  return code === 0 && top === real ? gitDir : undefined;
}

/**
 * Makes sure that git works in this submodule and nowhere else: its folder is a real one below the tree, and
 * is linked to its own git folder. Whatever else a session put there is removed. `none`: its place leads out
 * of the tree.
 */
async function makeRoom(tree: Tree, own: Tree): Promise<'none' | 'empty' | 'filled'> {
  const found = await lstat(own.path).catch(() => undefined);
  const above = await realpath(join(own.path, '..')).catch(() => undefined);
  if (above !== resolve(own.path, '..') || !(above === tree.path || above.startsWith(`${tree.path}/`)))
    return 'none';
  const link = await readFile(join(own.path, '.git'), 'utf8').catch(() => '');
  const target = /^gitdir: (.+)\n?$/.exec(link)?.[1];
  const isLinked =
    found?.isDirectory() === true && target !== undefined && resolve(own.path, target) === own.gitDir;
  if (isLinked && (await realpath(own.gitDir).catch(() => undefined)) === own.gitDir) return 'filled';
  if (found) await rm(own.path, { recursive: true, force: true });
  await rm(own.gitDir, { recursive: true, force: true });
  await mkdir(own.path);
  return 'empty';
}
