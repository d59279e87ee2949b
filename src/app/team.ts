import { fileURLToPath } from 'node:url';
import { systemClock } from '../adapters/clock/systemClock.ts';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { RemoteForges } from '../adapters/forge/forges.ts';
import { CommandLineTokens } from '../adapters/forge/tokens.ts';
import { GitAdapter } from '../adapters/git/gitAdapter.ts';
import { InstallationKey } from '../adapters/keys/installationKey.ts';
import { type LocalServer, startLocalServer } from '../adapters/store/postgres/localServer.ts';
import { prepareAll, repositoriesIn } from '../adapters/store/postgres/prepare.ts';
import { TeamKeys } from '../adapters/store/postgres/teamKeys.ts';
import { teamPlace } from '../adapters/store/postgres/teamPlace.ts';
import { openWorkerStore, type WorkerStore } from '../adapters/store/workerStore.ts';
import { configRoot, ownPromptFolder } from '../adapters/system/configRoot.ts';
import { startedByAgent } from '../adapters/system/startedBy.ts';
import { TeamParts } from '../adapters/system/teamParts.ts';
import { GptTokens } from '../adapters/tokens/gptTokens.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { prefixOf } from '../domain/core/ids.ts';
import type { CheckedOut } from '../domain/team/checkedOut.ts';
import type { SealedEntry } from '../domain/team/seal.ts';
import type { Forges } from '../engine/ports/ports.ts';
import type { Store } from '../engine/ports/storePort.ts';
import type { DiffReader } from '../protocol/review.ts';
import type { Decisions } from './admission.ts';
import { checkStart } from './checkBody.ts';
import type { App } from './app.ts';
import { EventBus } from './eventBus.ts';
import { locations } from './locations.ts';
import { StoreClient } from './storeClient.ts';
import { isSealed, withTeamAdmission } from './teamAdmission.ts';
import { onDatabase } from './teamDevices.ts';
import { TeamLog } from './teamLog.ts';
import { PushedDiffs } from './tickets/pushedRefs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository's tickets in a team's database. */
export interface TeamTickets extends Pick<App, 'client'> {
  readonly repository: Pick<App['repository'], 'root'>;
  readonly ports: Pick<App['ports'], 'store'>;
  /** Files a decision that a device sealed elsewhere. Throws DECISION_UNSEALED, and what `act` throws. */
  file(entry: SealedEntry, seal: string): Promise<{ readonly id: string }>;
  /** Checks a ticket out beside this clone. Throws BRANCH_NOT_PUSHED, and what git says. */
  checkOut(ticket: string): Promise<CheckedOut>;
  /** Of this clone, if there is one. */
  readonly checkouts?: Pick<GitAdapter, 'checkoutsOfTeam' | 'removeCheckoutOfTeam'>;
  close(): Promise<void>;
}

/** The tickets of a team: of all its repositories, or of the one that a folder is in. */
export interface Team {
  /** The repositories' names. */
  names(): Promise<readonly string[]>;
  open(name: string): Promise<TeamTickets>;
  /** The tickets of the repository that the folder is in. `make`: its tables are made or updated. */
  openHere(folder: string, options?: { readonly make?: boolean }): Promise<TeamTickets>;
  /** Those of the folder's repository if the team has it. `shownAs`: its key for the client. */
  find(folder: string, shownAs: string): Promise<TeamTickets | undefined>;
}

export interface TeamOptions {
  readonly url: string;
  readonly env: Environment;
  /** Default: nobody decides. */
  readonly decisions?: Pick<Decisions, 'decide'>;
  /** Enterprise hosts that the person named, beside those of the environment. */
  readonly forgeHosts?: () => readonly string[];
}

export function openTeam({ url, env, decisions = nobody, forgeHosts = () => [] }: TeamOptions): Team {
  const keys = new TeamKeys(url);
  const place = { env, decisions, keys, forgeHosts };
  const start = (name: string, origin = '', make = false): Promise<WorkerStore> =>
    openWorkerStore(locations.teamWorker, { url, repository: name, runner: null, make, origin });
  const names = (): Promise<readonly string[]> => onDatabase(url, repositoriesIn);
  const knows = async (name: string): Promise<boolean> => {
    try {
      return (await names()).includes(name);
    } catch (error) {
      if (error instanceof BeadsmithError && error.code === 'TEAM_TABLES') return false;
      throw error;
    }
  };
  const repositoryAt = async (folder: string) => {
    const git = new GitAdapter({ folder, environment: env });
    const { root } = await git.repository();
    return { git, root, ...teamPlace(await git.remotes(), root) };
  };
  return {
    names,
    open: async (name) => ticketsOf(name, await start(name), place),
    openHere: async (folder, { make = false } = {}) => {
      const { name, origin, ...here } = await repositoryAt(folder);
      return ticketsOf(name, await start(name, origin, make), { ...place, ...here });
    },
    find: async (folder, shownAs) => {
      const { name, git, root } = await repositoryAt(folder);
      return (await knows(name))
        ? ticketsOf(name, await start(name), { ...place, git, root, shownAs })
        : undefined;
    },
  };
}

/** Packages of runners and `team up`, of this user. */
export function teamParts(env: Environment): TeamParts {
  return new TeamParts(locations.teamParts, env);
}

/** Starts a server for a team on this machine, and makes or updates its tables. */
export async function startTeam({
  folder,
  env,
}: {
  readonly folder: string;
  readonly env: Environment;
}): Promise<LocalServer> {
  const server = await startLocalServer({
    folder,
    worker: locations.teamWorker,
    parts: teamParts(env),
  });
  try {
    await onDatabase(server.url, prepareAll);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

interface Place {
  readonly env: Environment;
  readonly decisions: Pick<Decisions, 'decide'>;
  readonly keys: TeamKeys;
  readonly forgeHosts: () => readonly string[];
  readonly git?: GitAdapter;
  readonly root?: string;
  /** Names the repository for the client; default: its root. */
  readonly shownAs?: string;
}

async function ticketsOf(name: string, opened: WorkerStore, place: Place): Promise<TeamTickets> {
  const { git, root = '', shownAs = root } = place;
  const { env, decisions, keys } = place;
  const events = new EventBus();
  const isAgent = startedByAgent() === true;
  const store = withTeamAdmission({
    store: opened.store,
    decisions,
    drives: false,
    isAgent,
    clock: systemClock,
    events,
    repository: name,
    keys,
    key: new InstallationKey(configRoot(env)),
  });
  const log = await TeamLog.open({ log: opened.log, onEvent: (event) => events.emit(event) });
  const prompts = new PromptFiles(fileURLToPath(locations.prompts), {
    folder: ownPromptFolder(env),
    apart: root === '' ? [] : [root],
  });
  const tokens = new GptTokens();
  const prefix = prefixOf(name.split('/').at(-1) ?? name);
  const placeOf = async (ticket: string): Promise<string> => (await opened.places.of(ticket)).now;
  const options: Omit<ConstructorParameters<typeof StoreClient>[0], 'store'> = {
    repository: { root: shownAs, name, mode: 'team', reason: '' },
    events,
    stateFolder: log.folder,
    refreshLog: (ticket) => log.refresh(ticket),
    diffs: git ? new PushedDiffs(store, git, { root, placeOf }) : noDiffs,
    forges: git ? forgesOf(git, place) : noForges,
    today: { prompts, count: (text) => tokens.count(text) },
    elsewhere: () => Promise.resolve([]),
    randomId: () => crypto.randomUUID(),
    isAgent,
    naming: async () => ({ prefix, atLeast: ((await git?.highestTicket(prefix)) ?? 0) + 1 }),
    // A runner starts from the remote's branch, however far this clone is behind it.
    checkStart: async ({ baseBranch }) => {
      if (!git) throw new BeadsmithError('BASE_BRANCH_OPEN', { branches: '' });
      const name = baseBranch ?? (await git.defaultBranch());
      return checkStart(git, name === undefined ? {} : { baseBranch: name });
    },
  };
  const client = new StoreClient({ ...options, store });
  const file: TeamTickets['file'] = async ({ id, ticket, kind, body }, seal) => {
    const assertSealed = async (entry: SealedEntry): Promise<void> => {
      if (!(await isSealed(keys, name, { ...entry, seal }))) throw new BeadsmithError('DECISION_UNSEALED');
    };
    await assertSealed({ id, ticket, kind, body });
    // What is stored is what was sealed, also once it was checked.
    const post: Store['post'] = async (entry) => {
      await assertSealed(entry);
      return opened.store.post({ ...entry, seal });
    };
    const filing = new StoreClient({ ...options, isAgent: false, store: { ...opened.store, post } });
    const known = (await opened.store.inbox(ticket)).find((entry) => entry.id === id);
    if (known && known.seal !== seal) throw new BeadsmithError('DECISION_UNSEALED');
    return filing.act(ticket, kind, body, id);
  };
  const close = async (): Promise<void> => {
    await log.close();
    await Promise.all([store.close(), keys.close()]);
  };
  const checkOut = async (ticket: string): Promise<CheckedOut> => {
    if (!git) throw new BeadsmithError('NOT_A_REPOSITORY', { path: name });
    return git.checkOutOfTeam(ticket, await placeOf(ticket));
  };
  const checkouts = git && { checkouts: git };
  return { client, repository: { root }, ports: { store }, file, checkOut, ...checkouts, close };
}

const nobody = { decide: () => Promise.reject(new BeadsmithError('DECISION_NEEDS_PERSON')) };
const noDiffs: DiffReader = {
  diff: () => Promise.resolve(undefined),
  file: () => Promise.resolve(undefined),
};
type KnownForges = Pick<Forges, 'isThere' | 'places'>;
const noForges: KnownForges = {
  isThere: () => Promise.resolve(false),
  places: () =>
    Promise.reject(
      new BeadsmithError('FORGE_UNKNOWN', { reason: "a team's tickets have no remote here", remedy: '' }),
    ),
};

/** As a runner finds them: its clone has `origin` alone. A runner signs in, so that nobody does here. */
function forgesOf(git: GitAdapter, { env, forgeHosts }: Place): KnownForges {
  const remotes = async () => (await git.remotes()).filter(({ name }) => name === 'origin');
  const { hosts: ofEnvironment } = new CommandLineTokens({ environment: env, inside: [] });
  const tokens = {
    get hosts() {
      return [...ofEnvironment, ...forgeHosts()];
    },
    of: () => Promise.resolve(undefined),
  };
  return new RemoteForges({ remotes }, tokens);
}
