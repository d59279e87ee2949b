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
import { locations } from './locations.ts';
import { TextThread } from './textThread.ts';
import type { Sandbox, SandboxPolicy } from '../engine/ports/sandboxPort.ts';
import type { Clock, Ports, Repository, TextReader, Agent, CommandRunner } from '../engine/ports/ports.ts';
import { scratchFolder } from '../adapters/git/openRepository.ts';
import { SharedGuard } from '../adapters/git/guard/sharedGuard.ts';
import { ScratchName, TicketId } from '../domain/core/ids.ts';
import type { Reservation } from '../engine/ports/workplacePort.ts';

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
  const sandboxes = new TicketSandboxes({
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
      policyFor: (command) => sandboxes.forCommand(command),
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

/** A slow output gives no results. */
export function readTestsIn(texts: TextReader): (text: string) => Promise<LongOutput | undefined> {
  return async (text) => {
    const answer = await readApart(texts, 'tests', text, text.length);
    return answer === 'late' ? undefined : answer.read;
  };
}

/** Commands in worktrees. The driver ends those of killed drivers. */
export function runningCommands(stateFolder: string): RunningCommands {
  return new RunningCommands(join(stateFolder, 'commands'));
}

/** Guards the shared git state around sessions and commands. */
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

interface TicketSandboxesOptions {
  readonly repository: Pick<Repository, 'root' | 'commonDir'>;
  readonly reserve: (ticket: string) => Promise<Reservation | undefined>;
}

/**
 * The sandboxes of a ticket (docs/decisions/105-the-sandbox.md), with one folder, so that they share HOME and
 * `/tmp`.
 */
export class TicketSandboxes {
  readonly #options: TicketSandboxesOptions;

  constructor(options: TicketSandboxesOptions) {
    this.#options = options;
  }

  /** Approved inputs are readable, because links lead to them. */
  async forCommand({ cwd, allowed, sandbox }: CommandOptions): Promise<SandboxPolicy> {
    const inputs = (allowed?.files ?? []).map((path) => join(this.#options.repository.root, path));
    return {
      domain: sandbox?.network === 'install' ? 'setup' : 'commands',
      tree: cwd,
      treeAccess: 'rw',
      ...(await this.places(sandbox?.ticket ?? 'none', sandbox?.isProof)),
      readOnly: [...inputs, ...(sandbox === undefined || sandbox.worktree === cwd ? [] : [sandbox.worktree])],
      // Commands share services over the machine's loopback. An installation only reaches registries.
      network: sandbox?.network === 'services' ? 'host' : 'none',
      isProof: sandbox?.isProof ?? false,
    };
  }

  async places(ticket: string, isProof = false): Promise<Pick<SandboxPolicy, 'folder' | 'readWrite'>> {
    const reservation = await this.#options.reserve(ticket);
    const own = isProof ? reservation?.proof : reservation;
    if (own) return { folder: own.sandbox, readWrite: [own.temporary] };
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
