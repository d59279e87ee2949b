import { basename, join } from 'node:path';
import { Recent } from '../base/recent.ts';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../adapters/clock/systemClock.ts';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { SharedGuard } from '../adapters/git/guard/sharedGuard.ts';
import { RemoteForges } from '../adapters/forge/forges.ts';
import { CommandLineTokens, type EditorTokens } from '../adapters/forge/tokens.ts';
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
import { GithubSettings } from '../domain/settings/rows/planning.ts';
import { prefixOf } from '../domain/core/ids.ts';
import { noSandbox, type SandboxSetting } from '../domain/environment/sandbox.ts';
import { RepositorySettings } from '../domain/settings/settings.ts';
import type { Clock, Ports, Repository, PromptSource } from '../engine/ports/ports.ts';
import type { Sandbox } from '../engine/ports/sandboxPort.ts';
import type { SharedLog, Store } from '../engine/ports/storePort.ts';
import { behaviour } from '../phases/index.ts';
import { type Decisions, withAdmission } from './admission.ts';
import { type KnownKeys, type TeamAdmissionOptions, withTeamAdmission } from './teamAdmission.ts';
import { type App, DrivenApp, type DrivenAppParts } from './app.ts';
import { checkPrompts, checkStart } from './checkBody.ts';
import { driverParts, followMovedWorktrees, watchCompleted } from './driverParts.ts';
import { EventBus } from './eventBus.ts';
import { ForgeWatch } from './forgeWatch.ts';
import { guardedPorts, localPorts, runningCommands } from './localPorts.ts';
import { locations } from './locations.ts';
import { PlacedRefs } from './tickets/placedRefs.ts';
import { PushedCommits } from './tickets/pushedCommits.ts';
import { StoreClient } from './storeClient.ts';
import { TicketDiffs } from './tickets/ticketDiffs.ts';
import { parsePromptFile } from '../context/promptFile.ts';
import type { ToolPolicy } from '../domain/usage/promptPlan.ts';

/** Milliseconds in which the numbers of branches aren't asked again. */
const numbersKeptMs = 1_000;

/** A repository of a team, whose tickets a runner drives. */
export interface TeamPlace {
  readonly url: string;
  /** The name in the team. */
  readonly repository: string;
  readonly runner: string;
  readonly keys: KnownKeys;
  /** Seals what the runner itself files. */
  readonly key: TeamAdmissionOptions['key'];
}

export interface AppOptions {
  readonly folder: string;
  /** If another process drives, this one follows. */
  readonly drive: boolean;
  /** A person allowed to drive another installation's tickets. */
  readonly adopt?: boolean;
  readonly decisions: Decisions;
  /** Default: the repository's own database. */
  readonly team?: TeamPlace;
  /** A person said that the owner in another container or on another machine is gone. */
  readonly takeOver?: boolean;
  readonly settings?: RepositorySettingsInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox: SandboxSetting;
  /** Agents may work without a sandbox, with no one to ask. */
  readonly isUnattended?: boolean;
  /** No estimates are learned; default: BEADSMITH_SCRIPTED. */
  readonly isScripted?: boolean;
  /** A setup in a sandbox may fetch from them. */
  readonly sandboxHosts?: readonly string[];
  readonly opencode: OpencodeOptions;
  /** Default: `prompts` in the configuration folder. */
  readonly promptFolder?: string;
  /** A person's sign-in at a forge, where the command line has none. */
  readonly signIn?: EditorTokens;
  /** The person's settings, asked each time; default: those of their rows. */
  readonly github?: () => GithubSettings;
  /** Default: this machine's. */
  readonly clock?: Clock;
  readonly log?: (message: string) => void;
}
export type RepositorySettingsInput = Partial<RepositorySettings>;

export interface OpencodeOptions {
  /** Default: on PATH, else in the user's cache. */
  readonly binary?: string;
  readonly url?: string;
  readonly password?: string;
  /** Only its provider parts are used. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Composes everything for a repository; starts nothing. Throws NOT_A_REPOSITORY, DRIVEN_ELSEWHERE, the reason
 * for a missing required sandbox, and the error of an unreadable database.
 */
export async function createApp(options: AppOptions): Promise<App> {
  return new DrivenApp(await openParts(options));
}

export async function openParts(options: AppOptions): Promise<DrivenAppParts> {
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
  const { team } = options;
  const opened = await openStore({
    commonDir: repository.commonDir,
    // A process of an agent drives and adopts nothing.
    mode: options.drive && !isAgent ? 'driver' : 'follower',
    workerUrl: team ? locations.teamWorker : locations.storeWorker,
    ...(team && { team: { url: team.url, repository: team.repository, runner: team.runner } }),
    configFolder: configRoot(options.env),
    adopt: (options.adopt ?? false) && !isAgent,
    takeOver: (options.takeOver ?? false) && !isAgent,
    ...(options.log ? { log: options.log } : {}),
  });
  if (!opened.store)
    throw opened.reason ?? new BeadsmithError('DATABASE_READ_ONLY', { reason: 'it could not be opened' });
  try {
    return await compose({
      options,
      git,
      repository,
      stateFolder,
      opened,
      store: opened.store,
      isAgent,
      sandbox,
    });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

interface Opened {
  readonly options: AppOptions;
  readonly git: GitAdapter;
  readonly repository: Repository;
  readonly stateFolder: string;
  readonly opened: OpenedStore;
  readonly store: Store;
  readonly isAgent: boolean;
  readonly sandbox: Sandbox;
}

async function compose(parts: Opened): Promise<DrivenAppParts> {
  const { options, git, repository, stateFolder, opened, isAgent, sandbox } = parts;
  const { clock = systemClock } = options;
  const events = new EventBus();
  const driverIsGone = async (): Promise<boolean> =>
    opened.mode === 'follower' && (await OwnerFile.current(stateFolder)) === undefined;
  const configFolder = configRoot(options.env);
  const signer = new InstallationKey(configFolder);
  const { team } = options;
  const refs = team && (await PlacedRefs.open((url) => git.ticketRefs(url)));
  const pushed =
    refs &&
    opened.ofTeam &&
    new PushedCommits({
      store: parts.store,
      places: opened.ofTeam.places,
      refs: (url) => refs.at(url),
      clock,
      events,
    });
  const admission = {
    store: pushed?.store ?? parts.store,
    decisions: options.decisions,
    drives: opened.mode === 'driver',
    isAgent,
    clock,
    events,
  };
  const store = team
    ? withTeamAdmission({ ...admission, ...team })
    : await withAdmission({ ...admission, stateFolder, configFolder, driverIsGone });
  // The watch judges no entries: their tickets may be other runners'.
  const watched = team ? withTeamAdmission({ ...admission, ...team, drives: false }) : store;
  const prompts = new PromptFiles(fileURLToPath(locations.prompts), {
    folder: options.promptFolder ?? ownPromptFolder(options.env),
    apart: [repository.root, `${repository.root}.worktrees`, repository.commonDir],
  });
  const { binary, url, password, config } = options.opencode;
  const env = { ...options.env, ...(await SharedGuard.environment(repository.commonDir)) };
  const { sandboxHosts = [] } = options;
  const inside = repositoryFolders(repository.root);
  const agent = new OpencodeAgent({
    stateDir: stateFolder,
    agentPrompts: await agentPrompts(prompts),
    env,
    inside,
    sandbox,
    sandboxHosts,
    // On a busy machine, 1.5 s can become more than 15.
    startLimitMs: 60_000,
    ...(options.log === undefined ? {} : { log: options.log }),
    // A person who turned the sandbox off has decided.
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
  const { env: environment, signIn } = options;
  const tokens = new CommandLineTokens({ environment, inside, ...(signIn && { signIn }) });
  const forges = new RemoteForges(git, tokens);
  const { log = () => undefined, github = () => GithubSettings.parse({}) } = options;
  const outside = { forges, github, ...local, ...guarded };
  const ports: Ports = {
    store,
    git,
    clock,
    prompts,
    events,
    signer,
    ...outside,
  };
  const isOn = (): boolean => github().watch;
  const forgeWatch = new ForgeWatch({ store: watched, events, forges, clock, isOn, log });
  const numbers = new Recent<number>(10);
  let numbersOf = 0;
  const client = new StoreClient({
    store,
    repository: {
      root: repository.root,
      name: team?.repository ?? basename(repository.root),
      mode: opened.mode,
      ...(sandbox.gap === undefined ? {} : { unsandboxed: sandbox.gap }),
      reason: opened.reason ? `${opened.reason.message} ${opened.reason.nextStep}` : '',
      get isBusy() {
        return state.kind === 'waiting';
      },
    },
    events,
    stateFolder,
    diffs: new TicketDiffs(store, git, repository.root),
    forges,
    forgeWatch,
    today: { prompts, count: (text) => local.tokens.count(text) },
    elsewhere: () => completed.elsewhere(),
    randomId: () => clock.randomId(),
    isAgent,
    naming: async () => {
      const prefix = options.settings?.ticketPrefix ?? prefixOf(basename(repository.root));
      // An import creates thousands at once.
      if (Date.now() - numbersOf > numbersKeptMs) numbers.clear();
      const highest = await numbers.of(prefix, () => {
        numbersOf = Date.now();
        return git.highestTicket(prefix);
      });
      return { prefix, atLeast: highest + 1 };
    },
    checkStart: async (start) => {
      await checkPrompts(prompts);
      return checkStart(git, start);
    },
  });
  if (opened.mode === 'driver') {
    await runningCommands(stateFolder).endAll();
    // A team's tickets are claimed first.
    if (!team) await followMovedWorktrees(store, git);
  }
  const shared = opened.ofTeam?.log;
  const share = team && shared && ((...lines: Parameters<SharedLog['append']>) => shared.append(...lines));
  const follow =
    opened.mode === 'driver'
      ? await driverParts(ports, events, { stateFolder, history: client.history, share })
      : [];
  const isScripted = options.isScripted ?? options.env['BEADSMITH_SCRIPTED'] === '1';
  const noting =
    opened.mode === 'driver' && !isScripted ? [watchCompleted({ events, client, file: completed, log })] : [];
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
    forgeWatch,
    afterCrash: opened.owner?.isAfterCrash ?? false,
    ...(opened.ofTeam && pushed && { ofTeam: { ...opened.ofTeam, pushed, refs } }),
    onDispose: [() => agent.stop(), ...noting, ...follow, () => opened.close()],
  };
}

export async function agentPrompts(prompts: PromptSource): Promise<Readonly<Record<ToolPolicy, string>>> {
  const body = async (policy: ToolPolicy): Promise<string> => {
    const name = `agent-${policy.replaceAll('_', '-')}`;
    return parsePromptFile(name, (await prompts.read(name)).text).body;
  };
  return {
    disabled: await body('disabled'),
    read_only: await body('read_only'),
    default: await body('default'),
    execution_setup_online: await body('execution_setup_online'),
  };
}
