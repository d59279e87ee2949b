import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Box } from '../../engine/ports/sandboxPort.ts';
import { toolchainFolders } from '../system/commandEnvironment.ts';

/** Real paths that a sandbox shows. `system`: bubblewrap's arguments for folders of the system. */
export interface Places {
  readonly system: readonly string[];
  readonly readOnly: readonly string[];
  readonly readWrite: readonly string[];
  readonly hidden: readonly string[];
  /** Names of these places that lead through a link. */
  readonly links: readonly { readonly at: string; readonly to: string }[];
}

type Environment = Readonly<Record<string, string>>;

/** Never all of `/etc`: this process may be an administrator's, and read what only they may. */
const etc = [
  'passwd group nsswitch.conf host.conf resolv.conf gai.conf networks protocols services ethertypes localtime timezone mime.types',
  'ssl pki ca-certificates ca-certificates.conf crypto-policies ld.so.cache ld.so.conf ld.so.conf.d alternatives os-release lsb-release',
  'debian_version redhat-release alpine-release locale.alias locale.conf terminfo inputrc fonts magic static nix java maven perl php python3',
].flatMap((line) => line.split(' ').map((name) => `/etc/${name}`));
const systemFolders = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /run/current-system'.split(
  ' ',
);
const kernel = ['/sys/devices/system/cpu', '/sys/fs/cgroup'];

/** Finds the places of a sandbox. What a link leads to is shown there, and under its name, too. */
export async function placesOf(
  box: Box,
  { commonDir, env }: { readonly commonDir: string; readonly env: Environment },
): Promise<Places> {
  const [tree, link, readWrite, readOnly, git, hidden] = await Promise.all([
    real([box.tree]),
    // What can write it leads our git to another repository, whose configuration names programs to run.
    real([join(box.tree, '.git')]),
    real([join(box.folder, 'home'), ...box.readWrite]),
    real(box.readOnly),
    real([commonDir, ...(await alternatesOf(commonDir))]),
    real([join(commonDir, 'beadsmith')]),
  ]);
  const shown = {
    readOnly: [
      ...(await toolchains(env, [...tree, ...git])),
      ...readOnly,
      ...git,
      ...link,
      ...(box.treeAccess === 'ro' ? tree : []),
    ],
    readWrite: [...readWrite, ...(box.treeAccess === 'rw' ? tree : [])],
  };
  const named = [
    box.tree,
    box.cwd ?? box.tree,
    join(box.folder, 'home'),
    ...box.readWrite,
    ...box.readOnly,
    commonDir,
  ];
  const links = await linksTo(named, [...shown.readOnly, ...shown.readWrite]);
  return { system: await systemArguments(), ...shown, hidden, links };
}

/** Links that are in a place which is shown anyway are in it. */
async function linksTo(named: readonly string[], shown: readonly string[]): Promise<Places['links']> {
  const links: { at: string; to: string }[] = [];
  for (const at of [...new Set(named)].sort((a, b) => a.length - b.length)) {
    const [to] = await real([at]);
    const isThere = [...shown, ...links.map((link) => link.at)].some((folder) => isWithin(folder, at));
    if (to !== undefined && to !== at && !isThere) links.push({ at, to });
  }
  return links;
}

/** Folders of the root that are links on most systems stay links. */
async function systemArguments(): Promise<readonly string[]> {
  const args: string[] = [];
  for (const path of systemFolders) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() === true) args.push('--symlink', await readlink(path), path);
    else if (found) args.push('--ro-bind', path, path);
  }
  return [...args, ...[...etc, ...kernel].flatMap((path) => ['--ro-bind-try', path, path])];
}

/**
 * The toolchains in use: where the folders of PATH, this program and version managers lie. Of a folder of
 * programs its parent is shown, which holds what they need, unless that holds more than a toolchain. `work`:
 * what no toolchain may show.
 */
async function toolchains(env: Environment, work: readonly string[]): Promise<readonly string[]> {
  const home = env['HOME'] ?? homedir();
  const path = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const whole = await real([
    ...Object.values(toolchainFolders(env)),
    ...installed.map((folder) => join(home, folder)),
    ...certificates.flatMap((name) => env[name] ?? []),
  ]);
  const programs = await real([...path, dirname(await realpath(process.execPath))]);
  const [realHome = home] = await real([home]);
  const shared = new Set(['/', '/var', '/run', '/home', '/root', '/tmp', '/etc', realHome]);
  // What lies directly in the person's home often holds a login beside its programs.
  const isTool = (prefix: string): boolean =>
    !shared.has(prefix) && dirname(prefix) !== realHome && !holdsWork(prefix);
  const holdsWork = (folder: string): boolean => work.some((one) => isWithin(folder, one));
  const found = programs.map((folder) => {
    const prefix = dirname(folder);
    return /^(?:s?bin|\.bin|shims)$/.test(basename(folder)) && isTool(prefix) ? prefix : folder;
  });
  return [...new Set([...whole, ...found])].filter(
    (folder) => !shared.has(folder) && !holdsWork(folder) && !inSystem(folder),
  );
}

/** The folders to which programs in `~/.local/bin` lead. */
const installed = ['.local/share/uv/python', '.local/share/uv/tools', '.local/share/pipx', '.local/pipx'];
const certificates = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NIX_SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

function inSystem(path: string): boolean {
  return ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix', '/etc'].some((root) =>
    isWithin(root, path),
  );
}

/** Returns the folders from which a clone that shares objects with another one takes them. */
async function alternatesOf(commonDir: string): Promise<readonly string[]> {
  const text = await readFile(join(commonDir, 'objects', 'info', 'alternates'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => isAbsolute(line));
}

/** Real paths, without what isn't there. */
async function real(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => '')));
  return [...new Set(found.filter((path) => path !== ''))];
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
