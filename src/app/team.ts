import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PromptFiles } from '../adapters/files/promptFiles.ts';
import { GitAdapter } from '../adapters/git/gitAdapter.ts';
import { type LocalServer, startLocalServer } from '../adapters/store/postgres/localServer.ts';
import { PostgresDatabase } from '../adapters/store/postgres/postgresDatabase.ts';
import { prepareTeam, repositoriesIn } from '../adapters/store/postgres/prepare.ts';
import { whenFree } from '../adapters/store/sql/whenFree.ts';
import { openWorkerStore, type WorkerStore } from '../adapters/store/workerStore.ts';
import { ownPromptFolder } from '../adapters/system/configRoot.ts';
import { startedByAgent } from '../adapters/system/startedBy.ts';
import { GptTokens } from '../adapters/tokens/gptTokens.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { prefixOf } from '../domain/core/ids.ts';
import type { Remote } from '../domain/forge/forgePlace.ts';
import type { Forges } from '../engine/ports/ports.ts';
import type { DiffReader } from '../protocol/review.ts';
import type { App } from './app.ts';
import { EventBus } from './eventBus.ts';
import { locations } from './locations.ts';
import { StoreClient } from './storeClient.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository's tickets in a team's database. */
export interface TeamTickets extends Pick<App, 'client'> {
  readonly repository: Pick<App['repository'], 'root'>;
  readonly ports: Pick<App['ports'], 'store'>;
  close(): Promise<void>;
}

/** The tickets of a team: of all its repositories, or of the one that a folder is in. */
export interface Team {
  /** The repositories' names. */
  names(): Promise<readonly string[]>;
  open(name: string): Promise<TeamTickets>;
  /** The tickets of the repository that the folder is in. `make`: its tables are made or updated. */
  openHere(folder: string, options?: { readonly make?: boolean }): Promise<TeamTickets>;
}

/** Milliseconds that a list waits for the server. */
const patienceMs = 10_000;

export function openTeam({ url, env }: { readonly url: string; readonly env: Environment }): Team {
  const start = (name: string, remote = '', make = false): Promise<WorkerStore> =>
    openWorkerStore(locations.teamWorker, { url, repository: name, drive: false, make, remote });
  return {
    names: () => onDatabase(url, repositoriesIn),
    open: async (name) => ticketsOf(name, await start(name), { env }),
    openHere: async (folder, { make = false } = {}) => {
      const git = new GitAdapter({ folder, environment: env });
      const { root } = await git.repository();
      const { name, remote } = teamPlace(await git.remotes(), root);
      return ticketsOf(name, await start(name, remote, make), { env, git, root });
    },
  };
}

/** Starts a server for a team on this machine, and makes or updates its tables. */
export async function startTeam({ folder }: { readonly folder: string }): Promise<LocalServer> {
  const server = await startLocalServer({ folder, worker: locations.teamWorker });
  try {
    await onDatabase(server.url, prepareTeam);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function onDatabase<T>(url: string, work: (database: PostgresDatabase) => T): Promise<T> {
  const database = new PostgresDatabase({ url, worker: locations.teamWorker });
  try {
    return await whenFree(() => work(database), { patienceMs: () => patienceMs });
  } finally {
    database.close();
  }
}

/** A repository in a team. `remote`: the address of its origin, without a login; empty for none. */
interface TeamPlace {
  readonly name: string;
  readonly remote: string;
}

/**
 * Names a repository for all its clones by the address of `origin`: host, owner and name in lower case, or
 * the path on this machine. Without an origin, by the folder.
 */
export function teamPlace(remotes: readonly Pick<Remote, 'name' | 'url'>[], root: string): TeamPlace {
  const url = remotes.find(({ name }) => name === 'origin')?.url ?? '';
  const parts = addressForms.map((form) => form.exec(url)?.groups).find((found) => found !== undefined);
  const { scheme = '', user = '', host = '', path = '' } = parts ?? { path: url };
  const isFile = parts === undefined || scheme.toLowerCase() === 'file://';
  const isWeb = /^https?:/i.test(scheme);
  const known = host
    .toLowerCase()
    .replace(isWeb ? /:(?:80|443)$/ : /:\d+$/, '')
    .replace(/^(?:www|ssh)\.github\.com$/, 'github.com');
  const plain = isWeb ? path.replace(/[?#].*$/s, '') : path;
  const whole = isFile && !/^(?:[a-z]:)?[/\\]/i.test(plain) ? resolve(root, plain) : plain;
  const words = whole
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/i, '')
    .split(/[/\\]+/)
    .filter((word) => word !== '');
  if (url === '' || words.length === 0) return { name: basename(root), remote: '' };
  // A user's name is part of an address of SSH, and a login elsewhere.
  const login = isWeb || user === '' ? '' : `${user}@`;
  const remote = parts === undefined ? whole : `${scheme}${login}${host}${scheme === '' ? ':' : ''}${plain}`;
  return { name: `${isFile ? '' : known}/${words.join('/')}`.toLowerCase(), remote };
}

const login = String.raw`(?:(?<user>[^/@:]*)[^/]*@)?`;
const addressForms = [
  new RegExp(String.raw`^(?<scheme>[a-z][a-z+.-]*://)${login}(?<host>[^/@]*)(?<path>/.*)?$`, 'is'),
  // As SCP writes it. One letter before the colon is a drive.
  new RegExp(String.raw`^${login}(?<host>[^/@:\\]{2,}):(?<path>.*)$`, 's'),
];

interface Place {
  readonly env: Environment;
  readonly git?: GitAdapter;
  readonly root?: string;
}

function ticketsOf(name: string, { store }: WorkerStore, { env, git, root = '' }: Place): TeamTickets {
  const prompts = new PromptFiles(fileURLToPath(locations.prompts), {
    folder: ownPromptFolder(env),
    apart: root === '' ? [] : [root],
  });
  const tokens = new GptTokens();
  const prefix = prefixOf(name.split('/').at(-1) ?? name);
  const client = new StoreClient({
    store,
    repository: { root, name, mode: 'follower', reason: '' },
    events: new EventBus(),
    stateFolder: root,
    diffs: noDiffs,
    forges: noForges,
    today: { prompts, count: (text) => tokens.count(text) },
    elsewhere: () => Promise.resolve([]),
    randomId: () => crypto.randomUUID(),
    isAgent: startedByAgent() === true,
    naming: async () => ({ prefix, atLeast: ((await git?.highestTicket(prefix)) ?? 0) + 1 }),
    checkStart: () =>
      Promise.reject(
        new BeadsmithError('DATABASE_READ_ONLY', { reason: "a team's tickets don't start here yet" }),
      ),
  });
  return { client, repository: { root }, ports: { store }, close: () => store.close() };
}

const noDiffs: DiffReader = {
  diff: () => Promise.resolve(undefined),
  file: () => Promise.resolve(undefined),
};
const noForge = (): Promise<never> =>
  Promise.reject(
    new BeadsmithError('FORGE_UNKNOWN', { reason: "a team's tickets have no remote here", remedy: '' }),
  );
const noForges: Forges = {
  isThere: () => Promise.resolve(false),
  places: noForge,
  at: noForge,
  issue: noForge,
};
