import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../adapters/clock/systemClock.ts';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { SharedGuard } from '../adapters/git/guard/sharedGuard.ts';
import { GitAdapter } from '../adapters/git/gitAdapter.ts';
import { OpencodeAgent } from '../adapters/opencode/opencodeAgent.ts';
import { findSandbox } from '../adapters/sandbox/findSandbox.ts';
import { openStore, type OpenedStore } from '../adapters/store/openStore.ts';
import type { StoreState } from '../adapters/store/workerStore.ts';
import { CompletedTicketsFile } from '../adapters/system/completedTicketsFile.ts';
import { configRoot, ownPromptFolder } from '../adapters/system/configRoot.ts';
import { repositoryFolders } from '../adapters/system/programs.ts';
import { OwnerFile } from '../adapters/store/sqlite/ownerFile.ts';
import { InstallationKey } from '../adapters/keys/installationKey.ts';
import { startedByAgent } from '../adapters/system/startedBy.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { prefixOf } from '../domain/core/ids.ts';
import { noSandbox, type SandboxSetting } from '../domain/environment/sandbox.ts';
import { RepositorySettings } from '../domain/settings/settings.ts';
import type { Git, Ports, Repository } from '../engine/ports/ports.ts';
import type { Sandbox } from '../engine/ports/sandboxPort.ts';
import type { Store } from '../engine/ports/storePort.ts';
import { behaviour } from '../phases/index.ts';
import type { HistoryReader } from '../protocol/history.ts';
import { type Decisions, withAdmission } from './admission.ts';
import { agentPrompts } from './agentPrompts.ts';
import type { App } from './app.ts';
import { checkPrompts, checkStart } from './checkBody.ts';
import { watchCompleted } from './completedWatch.ts';
import { DrivenApp, type DrivenAppParts } from './app.ts';
import { EventBus } from './eventBus.ts';
import { ExecutionLog } from './executionLog.ts';
import { guardedPorts } from './guardedPorts.ts';
import { localPorts, runningCommands, locations } from './localPorts.ts';
import { followMovedWorktrees } from './movedWorktrees.ts';
import { watchMisses } from './missWatch.ts';
import { Projector } from './projector.ts';
import { StoreClient } from './storeClient.ts';
import { TicketDiffs } from './tickets/ticketDiffs.ts';

export interface AppOptions {
  /** Any folder of the repository's checkout. */
  readonly folder: string;
  /** True if this process wants to drive; it follows if another one does. */
  readonly drive: boolean;
  /** A person said that tickets of another installation may be driven. */
  readonly adopt?: boolean;
  /** The means by which this process makes decisions for a person. */
  readonly decisions: Decisions;
  /** A person said that the owner of the tickets, in another container or on another machine, is gone. */
  readonly takeOver?: boolean;
  readonly settings?: RepositorySettingsInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's setting for whether commands and agents run in a sandbox. */
  readonly sandbox: SandboxSetting;
  /** A person said that agents may work without a box, and with no one to ask. */
  readonly isUnattended?: boolean;
  /**
   * A script answers in the place of models, so that nothing is learned of what tickets take; default: what
   * BEADSMITH_SCRIPTED says.
   */
  readonly isScripted?: boolean;
  /** Hosts that a setup in a box may fetch from beside the usual registries. */
  readonly sandboxHosts?: readonly string[];
  readonly opencode: OpencodeOptions;
  /**
   * The folder of the person's own prompts; default: `prompts` in the product's folder of the user's
   * configuration.
   */
  readonly promptFolder?: string;
  /** Told what becomes of servers. */
  readonly log?: (message: string) => void;
}
export type RepositorySettingsInput = Partial<RepositorySettings>;

export interface OpencodeOptions {
  /** The binary; default: the first on PATH, else the one in the user's cache. */
  readonly binary?: string;
  /** A server that the user runs, in place of our own. */
  readonly url?: string;
  readonly password?: string;
  /** The user's OpenCode configuration, of which the provider parts are used. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Opens the repository around a folder and composes everything that works on it. Throws NOT_A_REPOSITORY,
 * DRIVEN_ELSEWHERE (by another machine), the reason for having no box where one is required, and the
 * database's error when there is nothing to read either. Nothing is started yet; the caller disposes of it.
 */
export async function createApp(options: AppOptions): Promise<App> {
  return new DrivenApp(await openParts(options));
}

/**
 * The parts an app is made of, opened; `createApp` without the last step. The caller runs or disposes of
 * them.
 */
export async function openParts(options: AppOptions): Promise<DrivenAppParts> {
  const clock = systemClock;
  const git = new GitAdapter({
    folder: options.folder,
    environment: options.env,
    ...(options.settings?.worktreeFolder === undefined ? {} : { worktrees: options.settings.worktreeFolder }),
  });
  const repository = await git.repository();
  const stateFolder = join(repository.commonDir, 'beadsmith');
  const sandbox = await findSandbox(options.sandbox, {
    ...repository,
    ownServer: options.opencode.url !== undefined,
  });
  if (options.drive && options.sandbox === 'require' && sandbox.gap !== undefined)
    throw noSandbox(sandbox.gap);
  const isAgent = startedByAgent() === true;
  const opened = await openStore({
    commonDir: repository.commonDir,
    // What an agent started drives nothing and adopts nothing.
    mode: options.drive && !isAgent ? 'driver' : 'follower',
    workerUrl: locations.storeWorker,
    configFolder: configRoot(options.env),
    adopt: (options.adopt ?? false) && !isAgent,
    takeOver: (options.takeOver ?? false) && !isAgent,
    ...(options.log ? { log: options.log } : {}),
  });
  if (!opened.store)
    throw opened.reason ?? new BeadsmithError('DATABASE_READ_ONLY', { reason: 'it could not be opened' });
  try {
    const events = new EventBus();
    const driverIsGone = async (): Promise<boolean> =>
      opened.mode === 'follower' && (await OwnerFile.current(stateFolder)) === undefined;
    const store = await withAdmission({
      store: opened.store,
      decisions: options.decisions,
      drives: opened.mode === 'driver',
      stateFolder,
      configFolder: configRoot(options.env),
      isAgent,
      clock,
      events,
      driverIsGone,
    });
    return await compose({
      options,
      clock,
      git,
      repository,
      stateFolder,
      opened,
      store,
      events,
      isAgent,
      sandbox,
      driverIsGone,
    });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface Opened {
  readonly options: AppOptions;
  readonly clock: typeof systemClock;
  readonly git: Git;
  readonly repository: Repository;
  readonly stateFolder: string;
  readonly opened: OpenedStore;
  readonly store: Store;
  readonly events: EventBus;
  readonly isAgent: boolean;
  readonly sandbox: Sandbox;
  readonly driverIsGone: () => Promise<boolean>;
}

async function compose({
  options,
  clock,
  git,
  repository,
  stateFolder,
  opened,
  store,
  events,
  isAgent,
  sandbox,
  driverIsGone,
}: Opened): Promise<DrivenAppParts> {
  const prompts = new PromptFiles(fileURLToPath(locations.prompts), {
    folder: options.promptFolder ?? ownPromptFolder(options.env),
    apart: [repository.root, `${repository.root}.worktrees`, repository.commonDir],
  });
  const { binary, url, password, config } = options.opencode;
  const env = { ...options.env, ...(await SharedGuard.environment(repository.commonDir)) };
  const { sandboxHosts = [] } = options;
  const agent = new OpencodeAgent({
    stateDir: stateFolder,
    agentPrompts: await agentPrompts(prompts),
    env,
    inside: repositoryFolders(repository.root),
    sandbox,
    sandboxHosts,
    // A busy machine takes its time: what starts in 1.5 s alone was seen to need more than 15.
    startLimitMs: 60_000,
    ...(options.log === undefined ? {} : { log: options.log }),
    // Who turned the box off has decided; who has none is asked.
    asksForCommands: sandbox.gap !== undefined && sandbox.gap !== 'off' && options.isUnattended !== true,
    ...(config === undefined ? {} : { config }),
    ...(binary === undefined ? {} : { opencodePath: binary }),
    ...(url === undefined ? {} : { url: { url, ...(password === undefined ? {} : { password }) } }),
  });
  const { settings } = options;
  const completed = new CompletedTicketsFile(configRoot(options.env), repository.commonDir);
  const local = localPorts({
    clock,
    stateFolder,
    repository,
    env,
    sandbox,
    sandboxHosts,
    ...(settings === undefined ? {} : { settings }),
  });
  let state: StoreState = { kind: 'ready' };
  opened.onDidChangeState((next) => (state = next));
  const guarded = guardedPorts(
    { agent, process: local.process, events, clock },
    { ...repository, environment: options.env },
  );
  const signer = new InstallationKey(configRoot(options.env));
  const ports: Ports = { store, git, clock, prompts, events, signer, ...local, ...guarded };
  const client = new StoreClient({
    store,
    repository: {
      root: repository.root,
      name: basename(repository.root),
      mode: opened.mode,
      ...(sandbox.gap === undefined ? {} : { unboxed: sandbox.gap }),
      reason: opened.reason ? `${opened.reason.message} ${opened.reason.nextStep}` : '',
      get isBusy() {
        return state.kind === 'waiting';
      },
    },
    events,
    stateFolder,
    diffs: new TicketDiffs(store, git, repository.root),
    today: { prompts, count: (text) => local.tokens.count(text) },
    elsewhere: () => completed.elsewhere(),
    randomId: () => clock.randomId(),
    isAgent,
    naming: async () => {
      const prefix = options.settings?.ticketPrefix ?? prefixOf(basename(repository.root));
      return { prefix, atLeast: (await git.highestTicket(prefix)) + 1 };
    },
    checkStart: async (start) => {
      await checkPrompts(prompts);
      return checkStart(git, start);
    },
  });
  if (opened.mode === 'driver') {
    await runningCommands(stateFolder).endAll();
    await followMovedWorktrees(store, git);
  }
  const follow =
    opened.mode === 'driver'
      ? await driverParts(ports, events, { stateFolder, history: client.history })
      : [];
  const isScripted = options.isScripted ?? options.env['BEADSMITH_SCRIPTED'] === '1';
  const noting =
    opened.mode === 'driver' && !isScripted
      ? [watchCompleted({ events, client, file: completed, log: options.log ?? (() => undefined) })]
      : [];
  return {
    client,
    mode: opened.mode,
    repository,
    ports,
    behaviour,
    codingTickets: options.settings?.codingTickets ?? RepositorySettings.shape.codingTickets.parse(undefined),
    driverIsGone,
    onDidChangeState: opened.onDidChangeState,
    hurry: opened.hurry,
    afterCrash: opened.owner?.isAfterCrash ?? false,
    onDispose: [() => agent.stop(), ...noting, ...follow, () => opened.close()],
  };
}

/**
 * Starts what only a driver does beside running tickets: the projection in worktrees and the execution log.
 * Returns the functions that end them.
 */
async function driverParts(
  ports: Ports,
  events: EventBus,
  { stateFolder, history }: { readonly stateFolder: string; readonly history: HistoryReader },
): Promise<readonly (() => Promise<void>)[]> {
  const { store, files, clock } = ports;
  const worktrees = new Map<string, string | null>();
  const isWorktree = (path: string): boolean => existsSync(join(path, '.git'));
  const log = new ExecutionLog({
    stateFolder,
    clock,
    append: async (ticket, lines) => {
      const path = worktrees.get(ticket) ?? null;
      if (path !== null && isWorktree(path))
        await files.append(path, '.ticket/runtime/execution-log.jsonl', lines);
    },
  });
  const projector = new Projector({
    store,
    files,
    clock,
    isWorktree,
    onProject: (ticket) => worktrees.set(ticket.id, ticket.worktree),
  });
  await projector.start();
  const listening = events.on(log.add);
  const misses = watchMisses({ store, events, clock, history });
  return [
    () => projector.stop(),
    async () => {
      misses.dispose();
      listening.dispose();
      await log.flush();
    },
  ];
}
