import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { Sandbox } from '../../../engine/ports/sandboxPort.ts';
import { type Domain, bareDomain, domainFor, domainsOf } from '../sandbox/domains.ts';
import { EventHub } from '../client/eventHub.ts';
import { opencodeConfigFolder, opencodeVersion } from './findOpencode.ts';
import type { KnownModel } from '../models/catalogue.ts';
import { OpencodeClient } from '../client/opencodeClient.ts';
import { isAlive } from '../../system/processes.ts';
import { ServerManager, type ServerManagerOptions } from './serverManager.ts';
import { ServerUse } from './serverFiles.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { SessionRef } from '../../../engine/ports/ports.ts';

type Given = 'stateDir' | 'agentPrompts' | 'inside' | 'commandMs';
type Defaulted = 'config' | 'env' | 'log' | 'opencodePath' | 'graceMs' | 'startLimitMs' | 'maxBytes';

export interface ServersOptions
  extends Pick<ServerManagerOptions, Given>, Partial<Pick<ServerManagerOptions, Defaulted>> {
  /** A server that the user runs: used, and neither started nor stopped. */
  readonly url?: { readonly url: string; readonly password?: string };
  /** Confines servers, one for each trust domain; without it, or of the kind `none`, one for all. */
  readonly sandbox?: Sandbox;
  /** Hosts that a sandboxed setup may fetch from beside the usual registries. */
  readonly sandboxHosts?: readonly string[];
}

/** One server in use. `models` is what it was last seen to know. */
export interface Server {
  readonly client: OpencodeClient;
  readonly hub: EventHub;
  readonly ours: boolean;
  readonly alive: () => Promise<boolean>;
  models: ReadonlyMap<string, KnownModel> | undefined;
}

interface Described extends Pick<Server, 'ours' | 'alive'> {
  readonly url: string;
  readonly password: string | undefined;
}

/** Time after its last request that a process counts as a user: most are followed by the next. */
const restMs = 10_000;

/** The server of a domain that this process talks to, from one request to the next. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #manager: ServerManager;
  readonly #use: ServerUse;
  #current: { readonly nonce: string; readonly server: Server } | undefined;

  constructor(options: ServersOptions, domain: Domain) {
    this.#options = options;
    const { sandbox, sandboxHosts = [], graceMs = 60_000 } = options;
    this.#manager = new ServerManager({
      config: {},
      env: process.env,
      startLimitMs: 30_000,
      maxBytes: 1_500_000_000,
      log: () => undefined,
      ...options,
      graceMs,
      domain: domain.name,
      ...(sandbox === undefined || sandbox.kind === 'none' ? {} : { box: { sandbox, domain, sandboxHosts } }),
    });
    this.#use = new ServerUse(Math.min(restMs, graceMs), () => this.#manager.release());
  }

  /**
   * Does something with the server, which is adopted or started if need be, and neither replaced nor ended
   * meanwhile. Throws OPENCODE_MISSING, OPENCODE_VERSION, OPENCODE_START_FAILED, OPENCODE_GONE.
   */
  with<T>(work: (server: Server) => Promise<T>): Promise<T> {
    const { idle } = this.#use;
    return this.#use.during(async () => work(await this.#get(idle)));
  }

  /** Does something with the living server, if there is one. */
  async ifLiving<T>(work: (server: Server) => Promise<T>): Promise<T | undefined> {
    return this.#options.url || (await this.#manager.living()) ? this.with(work) : undefined;
  }

  async isLiving(): Promise<boolean> {
    return this.#current !== undefined && (await this.#manager.living()) !== undefined;
  }

  /** True if nothing runs on it that this process waits for. */
  get idle(): boolean {
    return this.#use.idle;
  }

  /** Lets the server reach a provider, which the engine is about to ask. */
  async allow(provider: string): Promise<void> {
    if (!this.#options.url) await this.#manager.allow(provider);
  }

  async stop(keep: boolean): Promise<void> {
    this.#use.end();
    this.#current?.server.hub.dispose();
    this.#current = undefined;
    if (!this.#options.url) await this.#manager.stop(keep);
  }

  async #get(idle: boolean): Promise<Server> {
    if (this.#options.url) return this.#given(this.#options.url);
    const { nonce, url, password, server } = await this.#manager.server(idle);
    return this.#described(nonce, { url, password, ours: true, alive: () => isAlive(server) });
  }

  async #given({ url, password }: { readonly url: string; readonly password?: string }): Promise<Server> {
    const server = this.#described(url, { url, password, ours: false, alive: () => Promise.resolve(true) });
    if (server.models) return server;
    const health = await server.client.health();
    const reason = health.ok ? '' : `${url} does not answer: ${health.message}`;
    if (!health.ok) throw new BeadsmithError('OPENCODE_START_FAILED', { reason });
    const found = health.value.version;
    if (found !== opencodeVersion)
      throw new BeadsmithError('OPENCODE_VERSION', { found, path: url, wanted: opencodeVersion });
    return server;
  }

  #described(nonce: string, { url, password, ours, alive }: Described): Server {
    if (this.#current?.nonce === nonce) return this.#current.server;
    this.#current?.server.hub.dispose();
    // A server of ours stands below the repository's `.git`, where git is asked about every place.
    const outside = ours ? opencodeConfigFolder(this.#options.env ?? process.env) : undefined;
    const client = new OpencodeClient({ url, password, outside });
    const server: Server = { client, hub: new EventHub(client), ours, alive, models: undefined };
    this.#current = { nonce, server };
    return server;
  }
}

/**
 * The servers of a repository: one for everything where there is no sandbox, otherwise one for each domain.
 * Which session is on which is noted outside of every sandbox.
 */
export class ServerPool {
  readonly #options: ServersOptions;
  readonly #isSandboxed: boolean;
  readonly #byDomain = new Map<string, { readonly domain: Domain; readonly servers: Servers }>();

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#isSandboxed =
      options.url === undefined && options.sandbox !== undefined && options.sandbox.kind !== 'none';
  }

  /** For a session that is to be created. */
  for(policy: ToolPolicy, directory: string): Servers {
    return this.#use(this.#isSandboxed ? domainFor(policy, directory) : bareDomain);
  }

  /** For a session that was created, by its id or title. */
  of({ directory }: Pick<SessionRef, 'directory'>, name: string): Servers {
    return this.#use(this.#domainOf(directory, name) ?? bareDomain);
  }

  /** Checks whether the session is, or was, on a server that showed its worktree alone. */
  isOwn({ directory }: Pick<SessionRef, 'directory'>, name: string): boolean {
    return this.#domainOf(directory, name)?.tree === directory;
  }

  /** For a question that any server answers: one that runs, or the one that is needed next. */
  async any(directory?: string): Promise<Servers> {
    for (const { servers } of this.#byDomain.values()) if (await servers.isLiving()) return servers;
    return directory === undefined ? this.#use(bareDomain) : this.for('read_only', directory);
  }

  /** Notes, before it is created, that the session with this id or title is of a policy. */
  async note(policy: ToolPolicy, directory: string, name: string): Promise<void> {
    if (this.#isSandboxed) await this.#write(domainFor(policy, directory).name, name);
  }

  /** Notes the id of a session that was found by its title. */
  async noteId(directory: string, title: string, id: string): Promise<void> {
    const domain = this.#domainOf(directory, title);
    if (domain) await this.#write(domain.name, id);
  }

  /** The servers that may know a worktree. */
  knowing(directory: string): readonly Servers[] {
    const domains = this.#isSandboxed ? domainsOf(directory) : [bareDomain];
    return domains.flatMap(({ name }) => this.#byDomain.get(name)?.servers ?? []);
  }

  /** Ends what runs for one worktree alone. */
  async leave(directory: string): Promise<void> {
    for (const { domain, servers } of this.#byDomain.values())
      if (domain.tree === directory) await servers.stop(false);
  }

  async stop(keep: boolean): Promise<void> {
    await Promise.all([...this.#byDomain.values()].map(({ servers }) => servers.stop(keep)));
  }

  #use(domain: Domain): Servers {
    const found = this.#byDomain.get(domain.name)?.servers ?? new Servers(this.#options, domain);
    this.#byDomain.set(domain.name, { domain, servers: found });
    // Each takes half a gigabyte: one for no worktree, or for other work on it, isn't needed meanwhile.
    for (const { domain: other, servers } of this.#byDomain.values()) {
      const replaced =
        other.name !== domain.name &&
        (other === bareDomain || (domain.tree !== undefined && other.tree === domain.tree));
      if (this.#isSandboxed && replaced && servers.idle) void servers.stop(false).catch(() => undefined);
    }
    return found;
  }

  #domainOf(directory: string, name: string): Domain | undefined {
    return this.#isSandboxed
      ? domainsOf(directory).find(({ name: domain }) => existsSync(this.#mark(domain, name)))
      : undefined;
  }

  async #write(domain: string, name: string): Promise<void> {
    const file = this.#mark(domain, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, '');
  }

  #mark(domain: string, name: string): string {
    return join(this.#options.stateDir, 'servers', `${domain}.sessions`, sha256(name).slice(0, 32));
  }
}
