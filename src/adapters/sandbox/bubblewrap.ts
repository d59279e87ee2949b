import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box, Program, Sandbox } from '../../engine/ports/sandboxPort.ts';
import { boxEnvironment } from './boxEnvironment.ts';
import { type Places, placesOf } from './places.ts';

/**
 * Linux: bubblewrap with arguments of our own (docs/decisions/105-the-box.md). It is started with the environment of the box and nothing else, because
 * its process 1 keeps what it was started with, and everything in the box can read that.
 */
export class Bubblewrap implements Sandbox {
  readonly kind = 'bubblewrap';
  readonly #program: string;
  readonly #commonDir: string;

  /** `commonDir`: the git folder of the repository. */
  constructor(program: string, commonDir: string) {
    this.#program = program;
    this.#commonDir = commonDir;
  }

  async wrap({ program, args, env }: Program, box: Box): Promise<Program> {
    for (const name of ['home', 'tmp']) await mkdir(join(box.folder, name), { recursive: true, mode: 0o700 });
    const places = await placesOf(box, { commonDir: this.#commonDir, env });
    return {
      program: this.#program,
      args: [...boxArguments(places, box), '--', program, ...args],
      env: boxEnvironment(env, { home: join(box.folder, 'home'), writable: places.readWrite }),
    };
  }
}

/** Settings of the machine. Their owner may write them without any privilege, and in a container the owner often is who runs this. */
const settings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map((name) => `/proc/${name}`);

/** Parents come before what lies in them, so that the place of a ticket shows in what hides the rest. */
function boxArguments({ system, readOnly, readWrite, hidden, links }: Places, box: Box): readonly string[] {
  const mounts = [
    ...readOnly.map((path) => ({ path, how: ['--ro-bind', path, path] })),
    ...hidden.map((path) => ({ path, how: ['--tmpfs', path] })),
    ...readWrite.map((path) => ({ path, how: ['--bind', path, path] })),
  ];
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL'],
    ...(box.network === 'none' ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session', '--hostname', 'beadsmith'],
    ...system,
    ...['--proc', '/proc', '--dev', '/dev'],
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['/tmp', '/var/tmp'].flatMap((path) => ['--bind', join(box.folder, 'tmp'), path]),
    ...[...last.values()].sort((a, b) => a.path.length - b.path.length).flatMap(({ how }) => how),
    ...links.flatMap(({ at, to }) => ['--symlink', to, at]),
    // Only now: what lies in a hidden place needs a folder to be shown at.
    ...hidden.flatMap((path) => ['--remount-ro', path]),
    ...['--remount-ro', '/', '--chdir', box.cwd ?? box.tree],
  ];
}
