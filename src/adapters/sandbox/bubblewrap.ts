import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxPolicy, InnerSandbox, Program, Sandbox } from '../../engine/ports/sandboxPort.ts';
import { sandboxEnvironment, prepareHome } from './environments.ts';
import { type Places, placesOf } from './places.ts';
import { syscallFilter } from './syscallFilter.ts';
import { textAt, makePrivateFolder } from '../system/files.ts';

/**
 * Linux: bubblewrap (docs/decisions/105-the-sandbox.md), started with the sandbox's environment alone:
 * process 1 keeps it, and everything inside can read that.
 */
export class Bubblewrap implements Sandbox {
  readonly kind = 'bubblewrap';
  readonly inner: ((policy: InnerSandbox) => readonly string[]) | undefined;
  readonly #program: string;
  readonly #commonDir: string;

  /** `commonDir`: the git folder of the repository. `nests`: a sandbox can be made in a sandbox here. */
  constructor(program: string, commonDir: string, nests: boolean) {
    this.#program = program;
    this.#commonDir = commonDir;
    this.inner = nests ? (policy) => [program, ...innerArguments(policy), '--'] : undefined;
  }

  async wrap({ program, args, env }: Program, policy: SandboxPolicy): Promise<Program> {
    for (const name of ['home', 'tmp']) await makePrivateFolder(join(policy.folder, name));
    const shown = await prepareHome(join(policy.folder, 'home'), env, [policy.tree, this.#commonDir]);
    const places = await placesOf(
      { ...policy, readOnly: [...policy.readOnly, ...shown] },
      { commonDir: this.#commonDir, env },
    );
    const confined = [
      ...sandboxArguments(places, policy, await this.#kept('hosts', await hostNames())),
      '--',
      program,
      ...args,
    ];
    const calls = syscallFilter(process.arch);
    const filter = calls && (await this.#kept('filter', calls));
    return {
      ...(filter === undefined
        ? { program: this.#program, args: confined }
        : {
            program: '/bin/sh',
            args: ['-c', withFilter, filter, this.#program, '--seccomp', '9', ...confined],
          }),
      env: sandboxEnvironment(env, { home: join(policy.folder, 'home'), writable: places.readWrite }),
    };
  }

  async #kept(name: string, wanted: Buffer): Promise<string> {
    const folder = join(this.#commonDir, 'beadsmith');
    const file = join(folder, `sandbox.${name}`);
    const there = await readFile(file).catch(() => undefined);
    if (there?.equals(wanted) === true) return file;
    await makePrivateFolder(folder);
    const made = join(folder, `sandbox.${randomUUID()}`);
    await writeFile(made, wanted, { mode: 0o400 });
    await rename(made, file);
    return file;
  }
}

/** A name, never the real machine's. */
const hostName = 'beadsmith';

/** The machine's hosts and the sandbox's: programs look up their machine's name. */
async function hostNames(): Promise<Buffer> {
  const own = `127.0.0.1 localhost ${hostName}\n::1 localhost ip6-localhost\n`;
  return Buffer.from(`${own}${await textAt('/etc/hosts')}`);
}

/** Bubblewrap takes a filter only from an open file. */
const withFilter = 'exec 9< "$0" && exec "$@"';

function innerArguments({ readOnly, hidden, readWrite }: InnerSandbox): readonly string[] {
  return [
    '--unshare-user',
    '--unshare-net',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--dev-bind',
    '/',
    '/',
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...readWrite.flatMap((path) => ['--bind-try', path, path]),
  ];
}

/** The machine's settings: their owner, in a container often who runs this, may write them. */
const settings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map(
  (name) => `/proc/${name}`,
);

/** Lists that name the person's keys, too. */
const keys = ['/proc/keys', '/proc/key-users'];

/** Parents come before what is in them: a ticket's place shows in what hides the rest. */
function sandboxArguments(
  { system, readOnly, readWrite, hidden, links }: Places,
  policy: SandboxPolicy,
  hosts: string,
): readonly string[] {
  const mounts = [
    ...readOnly.map((path) => ({ path, how: ['--ro-bind', path, path] })),
    ...hidden.map((path) => ({ path, how: ['--tmpfs', path] })),
    ...readWrite.map((path) => ({ path, how: ['--bind', path, path] })),
  ];
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--cap-drop',
    'ALL',
    // The user 0 needs it for a further namespace.
    ...(policy.holdsSandboxes === true && process.getuid?.() === 0 ? ['--cap-add', 'CAP_SETFCAP'] : []),
    ...(policy.network === 'none' ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--new-session',
    '--hostname',
    hostName,
    ...system,
    '--ro-bind',
    hosts,
    '/etc/hosts',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    ...keys.flatMap((path) => ['--ro-bind-try', '/dev/null', path]),
    ...['/tmp', '/var/tmp'].flatMap((path) => ['--bind', join(policy.folder, 'tmp'), path]),
    ...[...last.values()].sort((a, b) => a.path.length - b.path.length).flatMap(({ how }) => how),
    ...links.flatMap(({ at, to }) => ['--symlink', to, at]),
    // Only now: what is in a hidden place needs a folder to be shown at.
    ...hidden.flatMap((path) => ['--remount-ro', path]),
    '--remount-ro',
    '/',
    '--chdir',
    policy.cwd ?? policy.tree,
  ];
}
