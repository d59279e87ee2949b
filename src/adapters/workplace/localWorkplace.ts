import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile, lstat, rename } from 'node:fs/promises';
import { arch, availableParallelism, platform, release, tmpdir, totalmem, version } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type HostFacts, knownTools } from '../../domain/environment/hostFacts.ts';
import type { WorktreeInput } from '../../domain/environment/inputs.ts';
import { TicketId } from '../../domain/core/ids.ts';
import type { DroppedContext, InputSize, Reservation, Workplace } from '../../engine/ports/workplacePort.ts';
import { codeOf, exists, textAt } from '../system/files.ts';
import { findProgram, repositoryFolders, withSafePath } from '../system/programs.ts';
import type { ToolVersions } from '../system/toolVersions.ts';
import { inputSize, provideInputs } from './provideInputs.ts';
import type { Reservations } from './reservations.ts';
import { sha256 } from '../../base/sha256.ts';
import { longestContext } from '../../domain/prompts/contextEntries.ts';
import type { Environment } from '../system/commandEnvironment.ts';

const run = promisify(execFile);
const patienceMs = 4_000;
/** Milliseconds: asking a container engine is a program. */
const engineHoldsMs = 60_000;
/** Milliseconds: looking reads all folders of PATH. */
const programsHoldMs = 10_000;

interface WorkplaceOptions {
  readonly checkout: string;
  readonly repository: string;
  readonly environment: Environment;
  readonly reservations: Reservations;
  readonly versions: ToolVersions;
  readonly now: () => number;
  readonly ticketFolders: string;
  /** The editor's `git.worktreeIncludeFiles`, `git.worktreeSymlinkFolders`. */
  readonly wishes?: Workplace['wishes'];
}

export class LocalWorkplace implements Workplace {
  readonly wishes: Workplace['wishes'];
  readonly #options: WorkplaceOptions;
  readonly #engines = new Map<string, { readonly at: number; readonly version: Promise<string> }>();
  #programs: { readonly at: number; readonly paths: ReadonlyMap<string, string> } | undefined;

  constructor(options: WorkplaceOptions) {
    this.#options = options;
    this.wishes = options.wishes ?? { copied: [], linked: [] };
  }

  async facts(): Promise<HostFacts> {
    const { environment, versions } = this.#options;
    const paths = this.#paths();
    const there = Object.entries(knownTools).flatMap(([name, args]) => {
      const path = paths.get(name);
      return path === undefined ? [] : [{ name, path, ask: () => versionOf(path, args, environment) }];
    });
    const engines = containerEngines.flatMap((name) => {
      const path = paths.get(name);
      return path === undefined
        ? []
        : [this.#engine(path).then((version) => (version === '' ? [] : [`${name} ${version}`]))];
    });
    const [known, containers] = await Promise.all([versions.of(there, environment), Promise.all(engines)]);
    return {
      system: `${await systemName()}, ${arch()}`,
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      tools: there.map(({ name }, at) => ({ name, version: known[at] ?? '' })),
      missing: Object.keys(knownTools).filter((name) => !paths.has(name)),
      containers: containers.flat(),
    };
  }

  #paths(): ReadonlyMap<string, string> {
    const { environment, checkout, now } = this.#options;
    const at = now();
    if (this.#programs === undefined || at - this.#programs.at >= programsHoldMs)
      this.#programs = { at, paths: programsIn(environment, repositoryFolders(checkout)) };
    return this.#programs.paths;
  }

  #engine(path: string): Promise<string> {
    const now = this.#options.now();
    const known = this.#engines.get(path);
    if (known !== undefined && now - known.at < engineHoldsMs) return known.version;
    const version = versionOf(
      path,
      ['version', '--format', '{{.Server.Version}}'],
      this.#options.environment,
    );
    this.#engines.set(path, { at: now, version });
    return version;
  }

  present(names: readonly string[]): readonly string[] {
    return names.filter((name) => (this.#options.environment[name] ?? '') !== '');
  }

  size(path: string): Promise<InputSize | undefined> {
    return inputSize(this.#options.checkout, path);
  }

  provide(worktree: string, inputs: readonly WorktreeInput[]): Promise<readonly string[]> {
    return provideInputs(this.#options.checkout, worktree, inputs);
  }

  reserve(ticket: string): Promise<Reservation | undefined> {
    return this.#options.reservations.of({ repository: this.#options.repository, ticket });
  }

  emptyProof(ticket: string, options: { readonly home: boolean }): Promise<void> {
    return this.#options.reservations.emptyProof({ repository: this.#options.repository, ticket }, options);
  }

  takeContext(ticket: string, key: string): Promise<DroppedContext | undefined> {
    return takeContextFile(join(this.#options.ticketFolders, TicketId.parse(ticket)), key);
  }

  async release(ticket: string): Promise<void> {
    await this.#options.reservations.release({ repository: this.#options.repository, ticket });
  }
}

const containerEngines = ['docker', 'podman'];

function programsIn(
  environment: WorkplaceOptions['environment'],
  inside: readonly string[],
): ReadonlyMap<string, string> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const safe = withSafePath(environment, inside);
  const paths = new Map<string, string>();
  const mayBeThere = namesBelow((safe['PATH'] ?? '').split(delimiter));
  for (const name of [...Object.keys(knownTools), ...containerEngines]) {
    const names = endings.map((ending) => `${name}${ending}`);
    if (!names.some(mayBeThere)) continue;
    const path = findProgram(names, safe, inside);
    if (path !== undefined) paths.set(name, path);
  }
  return paths;
}

/** Tells if one of these folders has a name; an unreadable one may. */
function namesBelow(folders: readonly string[]): (name: string) => boolean {
  const names = new Set<string>();
  for (const folder of folders) {
    try {
      for (const name of readdirSync(folder)) names.add(name.toLowerCase());
    } catch (error) {
      if (codeOf(error) === 'EACCES') return () => true;
    }
  }
  return (name) => names.has(name.toLowerCase());
}

/** Reads both streams; empty if not told in time. Started where no project can change it. */
async function versionOf(
  path: string,
  args: readonly string[],
  environment: WorkplaceOptions['environment'],
): Promise<string> {
  const env = { ...environment, COREPACK_ENABLE_NETWORK: '0', NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await run(path, [...args], {
      cwd: tmpdir(),
      env,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      maxBuffer: 1024 * 1024,
    });
    return versionIn(stdout.trim() === '' ? stderr : stdout);
  } catch {
    return '';
  }
}

function versionIn(text: string): string {
  return /\d+(?:\.\d+)+[\w.+-]*/.exec(text)?.[0].slice(0, 100) ?? '';
}

async function systemName(): Promise<string> {
  if (platform() !== 'linux') return `${version()} ${release()}`;
  const text = await textAt('/etc/os-release');
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? `Linux ${release()}`;
}

const bytesOfCharacter = 4;
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/u;

/**
 * Takes `context.txt` out of a folder (docs/decisions/141-context-inbox.md). Renamed by `key` before it is
 * read: after a crash the same step gets the same text, and no other does. An unusable file gets its name
 * back.
 */
export async function takeContextFile(folder: string, key: string): Promise<DroppedContext | undefined> {
  const path = join(folder, 'context.txt');
  const id = `file-${sha256(key).slice(0, 12)}`;
  const taken = join(folder, `context.${id}.taken.txt`);
  if (!(await exists(taken))) {
    if (!(await exists(path))) return undefined;
    await rename(path, taken);
  }
  const read = await textOf(taken);
  if ('text' in read) return { id, text: read.text };
  if (!(await exists(path))) await rename(taken, path);
  return { path, refused: read.refused };
}

async function textOf(path: string): Promise<{ readonly text: string } | { readonly refused: string }> {
  const info = await lstat(path);
  if (!info.isFile()) return { refused: 'it is not a file.' };
  const tooLong = {
    refused: `it has more than ${longestContext} characters. Name a file of the repository instead.`,
  };
  if (info.size > longestContext * bytesOfCharacter) return tooLong;
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n').trim();
  } catch {
    return { refused: 'it is not UTF-8 text.' };
  }
  if (text === '') return { refused: 'it is empty.' };
  if (text.length > longestContext) return tooLong;
  return controlCharacters.test(text) ? { refused: 'it has control characters.' } : { text };
}
