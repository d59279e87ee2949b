import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { arch, availableParallelism, platform, release, tmpdir, totalmem, version } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HostFacts, knownTools } from '../../domain/environment/hostFacts.ts';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';
import { TicketId } from '../../domain/ids.ts';
import type { DroppedContext, Reservation, Workplace } from '../../engine/ports/workplacePort.ts';
import { findProgram, repositoryFolders } from '../system/programs.ts';
import { takeContextFile } from './droppedContext.ts';
import { provideInputs } from './provideInputs.ts';
import type { Reservations } from './reservations.ts';

const run = promisify(execFile);
const patienceMs = 4_000;

export interface WorkplaceOptions {
  /** The person's checkout. */
  readonly checkout: string;
  /** What tells this repository from every other of this machine: its git common dir. */
  readonly repository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reservations: Reservations;
  /** Where people drop files for tickets, in one folder for each. */
  readonly ticketFolders: string;
  /** What the editor is told to copy and to link into worktrees: `git.worktreeIncludeFiles`, `git.worktreeSymlinkFolders`. */
  readonly wishes?: Workplace['wishes'];
}

/** The port `Workplace` over this machine. */
export class LocalWorkplace implements Workplace {
  readonly wishes: Workplace['wishes'];
  readonly #options: WorkplaceOptions;
  /** The versions of programs, by their path and when it last changed: to ask all of them takes a second. */
  readonly #versions = new Map<string, Promise<string>>();

  constructor(options: WorkplaceOptions) {
    this.#options = options;
    this.wishes = options.wishes ?? { copied: [], linked: [] };
  }

  facts(): Promise<HostFacts> {
    const { environment, checkout } = this.#options;
    return hostFacts(environment, repositoryFolders(checkout), async (path, args) => {
      const program = await stat(path).catch(() => undefined);
      const key = `${path} ${String(program?.mtimeMs)} ${String(program?.size)}`;
      const asked = this.#versions.get(key) ?? output(path, args, this.#options.environment).then(versionIn);
      this.#versions.set(key, asked);
      const version = await asked;
      if (version === '') this.#versions.delete(key);
      return version;
    });
  }

  present(names: readonly string[]): readonly string[] {
    return names.filter((name) => (this.#options.environment[name] ?? '') !== '');
  }

  provide(worktree: string, inputs: readonly WorktreeInput[]): Promise<readonly string[]> {
    return provideInputs(this.#options.checkout, worktree, inputs);
  }

  reserve(ticket: string): Promise<Reservation | undefined> {
    return this.#options.reservations.of({ repository: this.#options.repository, ticket });
  }

  takeContext(ticket: string, key: string): Promise<DroppedContext | undefined> {
    return takeContextFile(join(this.#options.ticketFolders, TicketId.parse(ticket)), key);
  }

  async release(ticket: string): Promise<void> {
    await this.#options.reservations.release({ repository: this.#options.repository, ticket });
  }
}

async function hostFacts(
  environment: Readonly<Record<string, string | undefined>>,
  inside: readonly string[],
  versionOf: (path: string, args: readonly string[]) => Promise<string>,
): Promise<HostFacts> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const paths = new Map<string, string>();
  for (const name of [...Object.keys(knownTools), 'docker', 'podman']) {
    const path = findProgram(
      endings.map((ending) => `${name}${ending}`),
      environment,
      inside,
    );
    if (path !== undefined) paths.set(name, path);
  }
  const versions = Object.entries(knownTools).map(async ([name, args]) => {
    const path = paths.get(name);
    return path === undefined ? [] : [{ name, version: await versionOf(path, args) }];
  });
  // Whether an engine answers can change at any time.
  const engines = ['docker', 'podman'].map(async (name) => {
    const path = paths.get(name);
    const server = path === undefined ? '' : versionIn(await output(path, ['version', '--format', '{{.Server.Version}}'], environment));
    return server === '' ? [] : [`${name} ${server}`];
  });
  const [tools, containers] = [(await Promise.all(versions)).flat(), (await Promise.all(engines)).flat()];
  return {
    system: `${await systemName()}, ${arch()}`,
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    tools,
    missing: Object.keys(knownTools).filter((name) => !paths.has(name)),
    containers,
  };
}

/** Both streams, since some tools print their version to the second; empty if it fails or takes too long. Started where no project can change it. */
async function output(path: string, args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const env = { ...environment, COREPACK_ENABLE_NETWORK: '0', NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await run(path, [...args], {
      cwd: tmpdir(),
      env,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      maxBuffer: 1024 * 1024,
    });
    return stdout.trim() === '' ? stderr : stdout;
  } catch {
    return '';
  }
}

/** The first version number of a text, or nothing. */
function versionIn(text: string): string {
  return /\d+(?:\.\d+)+[\w.+-]*/.exec(text)?.[0] ?? '';
}

async function systemName(): Promise<string> {
  if (platform() !== 'linux') return `${version()} ${release()}`;
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? `Linux ${release()}`;
}
