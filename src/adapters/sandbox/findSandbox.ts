import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxGap, SandboxSetting } from '../../domain/environment/sandbox.ts';
import type { SandboxPolicy, Program, Sandbox } from '../../engine/ports/sandboxPort.ts';
import { Bubblewrap } from './bubblewrap.ts';
import { giveIdentity, proofEnvironment } from './environments.ts';
import { Seatbelt } from './seatbelt.ts';
import { makePrivateFolder, succeeds } from '../system/files.ts';

/** Places of the system only: commands must not be able to write what confines them. */
const programs = {
  linux: [
    '/usr/bin/bwrap',
    '/bin/bwrap',
    '/usr/local/bin/bwrap',
    '/run/wrappers/bin/bwrap',
    '/run/current-system/sw/bin/bwrap',
  ],
  darwin: ['/usr/bin/sandbox-exec'],
} as const;
const patienceMs = 5_000;

/** Tried once per process: each is a program that is run. */
const works = new Map<string, Promise<boolean>>();

/**
 * This machine's sandbox for a repository, after a trial: many systems install bubblewrap and forbid what it
 * needs. `commonDir`: the git folder.
 */
export async function findSandbox(
  setting: SandboxSetting,
  { commonDir, ownServer = false, platform = process.platform, candidates }: FindOptions,
): Promise<Sandbox> {
  if (setting === 'off') return new NoSandbox('off');
  if (platform !== 'linux' && platform !== 'darwin') return new NoSandbox('unsupported');
  const program = await firstThere(candidates ?? programs[platform]);
  if (program === undefined) return new NoSandbox('missing');
  const probe =
    platform === 'linux' ? [...linuxProbe] : ['-p', '(version 1)(allow default)', '/usr/bin/true'];
  if (!(await worksHere(program, probe))) return new NoSandbox('blocked');
  const sandbox =
    platform === 'linux'
      ? new Bubblewrap(program, commonDir, await nests(program))
      : new Seatbelt(program, commonDir);
  return ownServer
    ? { kind: sandbox.kind, gap: 'ownServer', wrap: (command, place) => sandbox.wrap(command, place) }
    : sandbox;
}

interface FindOptions {
  readonly commonDir: string;
  /** Agents run on a person's server, which can't be sandboxed. Default: no. */
  readonly ownServer?: boolean;
  readonly platform?: NodeJS.Platform;
  readonly candidates?: readonly string[];
}

const linuxProbe =
  '--ro-bind / / --unshare-user-try --unshare-pid --unshare-net --cap-drop ALL --proc /proc --dev /dev true'.split(
    ' ',
  );

/** Tries a sandbox in a sandbox: some systems let only programs outside make namespaces. */
function nests(program: string): Promise<boolean> {
  const [inner, asRoot] = [linuxInner, process.getuid?.() === 0 ? ['--cap-add', 'CAP_SETFCAP'] : []];
  return worksHere(program, [...linuxProbe.slice(0, -1), ...asRoot, program, ...inner]);
}

const linuxInner = '--unshare-user --unshare-net --cap-drop ALL --dev-bind / / true'.split(' ');

function worksHere(program: string, args: readonly string[]): Promise<boolean> {
  const key = [program, ...args].join(' ');
  const known = works.get(key) ?? runs(program, args);
  works.set(key, known);
  return known;
}

/** Starts programs as they are; a proof gets its home by environment. */
export class NoSandbox implements Sandbox {
  readonly kind = 'none';
  readonly gap: SandboxGap;

  constructor(gap: SandboxGap) {
    this.gap = gap;
  }

  async wrap(
    program: Program,
    { folder, domain, isProof = false }: Pick<SandboxPolicy, 'folder' | 'domain' | 'isProof'>,
  ): Promise<Program> {
    if (!isProof) return program;
    const home = join(folder, 'home');
    await makePrivateFolder(home);
    await giveIdentity(home);
    return { ...program, env: proofEnvironment(program.env, { home, installs: domain === 'setup' }) };
  }
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await succeeds(access(path, constants.X_OK))) return path;
  return undefined;
}

function runs(program: string, args: readonly string[]): Promise<boolean> {
  const options = { env: { PATH: '/usr/bin:/bin' }, timeout: patienceMs, killSignal: 'SIGKILL' } as const;
  return succeeds(promisify(execFile)(program, args, options));
}
