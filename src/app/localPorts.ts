import { join, basename, dirname } from 'node:path';
import { WorktreeFiles } from '../adapters/files/ticketFiles.ts';
import { LocalForge } from '../adapters/forge/local/localForge.ts';
import { RunningCommands } from '../adapters/process/runningCommands.ts';
import { Shell } from '../adapters/process/shell.ts';
import { cacheRoot } from '../adapters/system/cacheRoot.ts';
import { ToolVersions } from '../adapters/system/toolVersions.ts';
import { SecretlintScanner } from '../adapters/secrets/secretlintScanner.ts';
import { GptTokens } from '../adapters/tokens/gptTokens.ts';
import { LocalWorkplace } from '../adapters/workplace/localWorkplace.ts';
import { Reservations } from '../adapters/workplace/reservations.ts';
import type { LongOutput } from '../domain/proof/failureExcerpt.ts';
import type { RepositorySettings } from '../domain/settings/settings.ts';
import { readApart } from '../phases/shared/structured/readApart.ts';
import { TextThread } from './textThread.ts';
import type { Sandbox, Box } from '../engine/ports/sandboxPort.ts';
import type { Clock, Ports, Repository, TextReader, Agent, CommandRunner } from '../engine/ports/ports.ts';
import { scratchFolder } from '../adapters/git/openRepository.ts';
import { SharedGuard } from '../adapters/git/guard/sharedGuard.ts';
import { ScratchName, TicketId } from '../domain/core/ids.ts';
import type { Reservation } from '../engine/ports/workplacePort.ts';

/** The ports that need nothing but this machine. */
export function localPorts(options: {
  readonly clock: Clock;
  readonly stateFolder: string;
  readonly repository: Pick<Repository, 'root' | 'commonDir'>;
  readonly settings?: Partial<RepositorySettings>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: Sandbox;
  readonly sandboxHosts: readonly string[];
}): Pick<Ports, 'process' | 'workplace' | 'files' | 'forge' | 'secrets' | 'texts' | 'tokens'> {
  const reservations = new Reservations(join(cacheRoot(options.env), 'tickets'));
  const { commonDir } = options.repository;
  const texts = new TextThread(locations.textWorker);
  const boxes = new TicketBoxes({
    repository: options.repository,
    reserve: (ticket) => reservations.of({ repository: commonDir, ticket }),
  });
  return {
    process: new Shell({
      clock: options.clock,
      environment: options.env,
      running: runningCommands(options.stateFolder),
      sandbox: options.sandbox,
      sandboxHosts: options.sandboxHosts,
      boxFor: (command) => boxes.forCommand(command),
      readTests: readTestsIn(texts),
    }),
    workplace: new LocalWorkplace({
      checkout: options.repository.root,
      repository: commonDir,
      environment: options.env,
      reservations,
      versions: ToolVersions.ofUser(options.env),
      now: () => options.clock.monotonic(),
      ticketFolders: join(options.stateFolder, 'tickets'),
      wishes: {
        copied: options.settings?.worktreeIncludeFiles ?? [],
        linked: options.settings?.worktreeSymlinkFolders ?? [],
      },
    }),
    files: new WorktreeFiles(),
    forge: new LocalForge(join(options.stateFolder, 'pull-requests')),
    secrets: new SecretlintScanner(),
    texts,
    tokens: new GptTokens(),
  };
}

/** Reads the results of tests in a thread. An output that takes too long to be read names none. */
export function readTestsIn(texts: TextReader): (text: string) => Promise<LongOutput | undefined> {
  return async (text) => {
    const answer = await readApart(texts, 'tests', text, text.length);
    return answer === 'late' ? undefined : answer.read;
  };
}

/** The commands that run in worktrees of a repository. Its driver ends those of drivers that were killed. */
export function runningCommands(stateFolder: string): RunningCommands {
  return new RunningCommands(join(stateFolder, 'commands'));
}

const fromSource = import.meta.url.endsWith('.ts');

/** Places of what the program starts or reads: beside the bundles, flat in `dist/`, or in the sources. */
export const locations = {
  /** The thread that owns the database. */
  storeWorker: place('../adapters/store/worker.ts', './storeWorker.js'),
  /** The thread that reads texts of strangers. */
  textWorker: place('./textWorker.ts', './textWorker.js'),
  /** The folder of prompt files, with a slash at its end. */
  prompts: place('../../prompts/', './prompts/'),
} as const;

function place(source: string, bundled: string): URL {
  return new URL(fromSource ? source : bundled, import.meta.url);
}

/** Puts the guard of the shared git state around sessions and commands. */
export function guardedPorts(
  { agent, process: runner, events, clock }: Pick<Ports, 'agent' | 'process' | 'events' | 'clock'>,
  {
    root,
    commonDir,
    environment,
  }: Pick<Repository, 'root' | 'commonDir'> & {
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): Pick<Ports, 'agent' | 'process'> {
  const scratch = basename(scratchFolder(environment, commonDir));
  const isOurs = (worktree: string) =>
    TicketId.safeParse(basename(worktree)).success ||
    (basename(dirname(worktree)) === scratch && ScratchName.safeParse(basename(worktree)).success);
  const guard = new SharedGuard({ root, commonDir, environment, isOurs });
  const around = <T>(folder: string, work: () => Promise<T>): Promise<T> =>
    guard.around(work, (text) => {
      const ticket = basename(folder).replace(/\.verify$/, '');
      events.emit({ type: 'activity', ticket, at: clock.now(), source: 'engine', kind: 'info', text });
    });
  const process: CommandRunner = {
    run: (command, options) => around(options.cwd, () => runner.run(command, options)),
  };
  const guarded: Pick<Agent, 'prompt' | 'await'> = {
    prompt: (session, ...rest) => around(session.directory, () => agent.prompt(session, ...rest)),
    await: (session, ...rest) => around(session.directory, () => agent.await(session, ...rest)),
  };
  return {
    process,
    agent: new Proxy(agent, {
      get: (target, name) => {
        if (name === 'prompt' || name === 'await') return guarded[name];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  };
}

type CommandOptions = Parameters<CommandRunner['run']>[1];

interface TicketBoxesOptions {
  readonly repository: Pick<Repository, 'root' | 'commonDir'>;
  readonly reserve: (ticket: string) => Promise<Reservation | undefined>;
}

/**
 * The sandboxes of a ticket's programs (docs/decisions/105-the-box.md): one folder for all of them, so that
 * they share HOME and `/tmp`.
 */
export class TicketBoxes {
  readonly #options: TicketBoxesOptions;

  constructor(options: TicketBoxesOptions) {
    this.#options = options;
  }

  /** The sandbox of a command of the engine's own. Approved inputs are shown where links may lead. */
  async forCommand({ cwd, allowed, box }: CommandOptions): Promise<Box> {
    const inputs = (allowed?.files ?? []).map((path) => join(this.#options.repository.root, path));
    return {
      domain: box?.network === 'install' ? 'setup' : 'commands',
      tree: cwd,
      treeAccess: 'rw',
      ...(await this.places(box?.ticket ?? 'none', box?.isProof)),
      readOnly: [...inputs, ...(box === undefined || box.worktree === cwd ? [] : [box.worktree])],
      // Each command has a sandbox of its own, and only the machine's loopback is common to several. An
      // installation gets a way to registries alone.
      network: box?.network === 'services' ? 'host' : 'none',
      isProof: box?.isProof ?? false,
    };
  }

  /** The folders in which programs of a ticket write beside its worktree; those of its proofs elsewhere. */
  async places(ticket: string, isProof = false): Promise<Pick<Box, 'folder' | 'readWrite'>> {
    const reservation = await this.#options.reserve(ticket);
    const own = isProof ? reservation?.proof : reservation;
    if (own) return { folder: own.box, readWrite: [own.temporary] };
    return {
      folder: join(
        this.#options.repository.commonDir,
        'beadsmith',
        'boxes',
        isProof ? `${ticket}.proof` : ticket,
      ),
      readWrite: [],
    };
  }
}
