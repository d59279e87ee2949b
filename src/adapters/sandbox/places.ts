import { readlink, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { SandboxPolicy } from '../../engine/ports/sandboxPort.ts';
import { toolchainFolders, homeOf } from '../system/commandEnvironment.ts';
import { isWithin, lstatAt, textAt } from '../system/files.ts';

export interface Places {
  readonly system: readonly string[];
  readonly readOnly: readonly string[];
  readonly readWrite: readonly string[];
  readonly hidden: readonly string[];
  readonly links: readonly { readonly at: string; readonly to: string }[];
}

type Environment = Readonly<Record<string, string>>;

/** Parts of `/etc`, never all: an administrator's process can read more than others may. */
const etc = [
  'passwd group nsswitch.conf host.conf resolv.conf gai.conf networks protocols services ethertypes localtime timezone mime.types',
  'ssl pki ca-certificates ca-certificates.conf crypto-policies ld.so.cache ld.so.conf ld.so.conf.d alternatives os-release lsb-release',
  'debian_version redhat-release alpine-release locale.alias locale.conf terminfo inputrc fonts magic static nix java maven perl php python3',
].flatMap((line) => line.split(' ').map((name) => `/etc/${name}`));
const systemFolders = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /run/current-system'.split(
  ' ',
);
const kernel = ['/sys/devices/system/cpu', '/sys/fs/cgroup'];

/** Finds the places. A link's target is shown there, and under its name. */
export async function placesOf(
  policy: SandboxPolicy,
  { commonDir, env }: { readonly commonDir: string; readonly env: Environment },
): Promise<Places> {
  const [tree, link, readWrite, readOnly, git, hidden] = await Promise.all([
    real([policy.tree]),
    // Writing it leads our git to a repository whose configuration starts programs.
    real([join(policy.tree, '.git')]),
    real([join(policy.folder, 'home'), ...policy.readWrite]),
    real(policy.readOnly),
    real([commonDir, ...(await alternatesOf(commonDir))]),
    real([join(commonDir, 'beadsmith')]),
  ]);
  const shown = {
    readOnly: [
      ...(await toolchains(env, [...tree, ...git])),
      ...readOnly,
      ...git,
      ...link,
      ...(policy.treeAccess === 'ro' ? tree : []),
    ],
    readWrite: [...readWrite, ...(policy.treeAccess === 'rw' ? tree : [])],
  };
  const named = [
    policy.tree,
    policy.cwd ?? policy.tree,
    join(policy.folder, 'home'),
    ...policy.readWrite,
    ...policy.readOnly,
    commonDir,
  ];
  const links = await linksTo(named, [...shown.readOnly, ...shown.readWrite]);
  return { system: await systemArguments(), ...shown, hidden, links };
}

/** Links in a shown place are in it anyway. */
async function linksTo(named: readonly string[], shown: readonly string[]): Promise<Places['links']> {
  const links: { at: string; to: string }[] = [];
  for (const at of [...new Set(named)].sort((a, b) => a.length - b.length)) {
    const [to] = await real([at]);
    const isThere = [...shown, ...links.map((link) => link.at)].some((folder) => isWithin(folder, at));
    if (to !== undefined && to !== at && !isThere) links.push({ at, to });
  }
  return links;
}

async function systemArguments(): Promise<readonly string[]> {
  const args: string[] = [];
  for (const path of systemFolders) {
    const found = await lstatAt(path);
    if (found?.isSymbolicLink() === true) args.push('--symlink', await readlink(path), path);
    else if (found) args.push('--ro-bind', path, path);
  }
  return [...args, ...[...etc, ...kernel].flatMap((path) => ['--ro-bind-try', path, path])];
}

/**
 * Toolchains in use, by PATH, this program and version managers. Of a folder of programs the parent is shown,
 * which they need, unless it holds more. `work`: what no toolchain may show.
 */
async function toolchains(env: Environment, work: readonly string[]): Promise<readonly string[]> {
  const home = homeOf(env);
  const path = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const whole = await real([
    ...Object.values(toolchainFolders(env)),
    ...installed.map((folder) => join(home, folder)),
    ...certificates.flatMap((name) => env[name] ?? []),
  ]);
  const programs = await real([...path, dirname(await realpath(process.execPath))]);
  const [realHome = home] = await real([home]);
  const shared = new Set(['/', '/var', '/run', '/home', '/root', '/tmp', '/etc', realHome]);
  // The person's home often holds a login beside programs.
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

const installed = ['.local/share/uv/python', '.local/share/uv/tools', '.local/share/pipx', '.local/pipx'];
const certificates = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NIX_SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

function inSystem(path: string): boolean {
  return ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix', '/etc'].some((root) =>
    isWithin(root, path),
  );
}

async function alternatesOf(commonDir: string): Promise<readonly string[]> {
  const text = await textAt(join(commonDir, 'objects', 'info', 'alternates'));
  return text.split('\n').filter((line) => isAbsolute(line));
}

async function real(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => '')));
  return [...new Set(found.filter((path) => path !== ''))];
}
