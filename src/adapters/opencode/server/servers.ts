import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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
import { makePrivateFolder } from '../../system/files.ts';

type Given = 'stateDir' | 'agentPrompts' | 'inside' | 'commandMs';
type Defaulted = 'config' | 'env' | 'log' | 'opencodePath' | 'graceMs' | 'startLimitMs' | 'maxBytes';

export interface ServersOptions
  extends Pick<ServerManagerOptions, Given>, Partial<Pick<ServerManagerOptions, Defaulted>> {
  /** A person's server: used, neither started nor stopped. */
  readonly url?: { readonly url: string; readonly password?: string };
  /** Confines servers; without it, or of kind `none`, one does for all domains. */
  readonly sandbox?: Sandbox;
  readonly sandboxHosts?: readonly string[];
}

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

/** Milliseconds: most requests are followed by the next. */
const restMs = 10_000;

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
      ...(sandbox === undefined || sandbox.kind === 'none'
        ? {}
        : { serverSandbox: { sandbox, domain, sandboxHosts } }),
    });
    this.#use = new ServerUse(Math.min(restMs, graceMs), () => this.#manager.release());
  }

  /**
   * The server is adopted or started, and kept meanwhile. Throws OPENCODE_MISSING, OPENCODE_VERSION,
   * OPENCODE_START_FAILED, OPENCODE_GONE.
   */
  with<T>(work: (server: Server) => Promise<T>): Promise<T> {
    const { idle } = this.#use;
    return this.#use.during(async () => work(await this.#get(idle)));
  }

  async ifLiving<T>(work: (server: Server) => Promise<T>): Promise<T | undefined> {
    return this.#options.url || (await this.#manager.living()) ? this.with(work) : undefined;
  }

  async isLiving(): Promise<boolean> {
    return this.#current !== undefined && (await this.#manager.living()) !== undefined;
  }

  get idle(): boolean {
    return this.#use.idle;
  }

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
    // Ours is below `.git`, where git is asked about every place.
    const outside = ours ? opencodeConfigFolder(this.#options.env ?? process.env) : undefined;
    const client = new OpencodeClient({ url, password, outside });
    const server: Server = { client, hub: new EventHub(client), ours, alive, models: undefined };
    this.#current = { nonce, server };
    return server;
  }
}

/**
 * A repository's servers: one without a sandbox, else one for each domain. Notes outside of every sandbox
 * tell a session's.
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

  for(policy: ToolPolicy, directory: string): Servers {
    return this.#use(this.#isSandboxed ? domainFor(policy, directory) : bareDomain);
  }

  of({ directory }: Pick<SessionRef, 'directory'>, name: string): Servers {
    return this.#use(this.#domainOf(directory, name) ?? bareDomain);
  }

  /** The session's server showed its worktree alone. */
  isOwn({ directory }: Pick<SessionRef, 'directory'>, name: string): boolean {
    return this.#domainOf(directory, name)?.tree === directory;
  }

  /** Servers for a question that any answers: running ones, or those needed next. */
  async any(directory?: string): Promise<Servers> {
    for (const { servers } of this.#byDomain.values()) if (await servers.isLiving()) return servers;
    return directory === undefined ? this.#use(bareDomain) : this.for('read_only', directory);
  }

  async note(policy: ToolPolicy, directory: string, name: string): Promise<void> {
    if (this.#isSandboxed) await this.#write(domainFor(policy, directory).name, name);
  }

  async noteId(directory: string, title: string, id: string): Promise<void> {
    const domain = this.#domainOf(directory, title);
    if (domain) await this.#write(domain.name, id);
  }

  knowing(directory: string): readonly Servers[] {
    const domains = this.#isSandboxed ? domainsOf(directory) : [bareDomain];
    return domains.flatMap(({ name }) => this.#byDomain.get(name)?.servers ?? []);
  }

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
    // Each takes half a gigabyte: unneeded ones go.
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
    await makePrivateFolder(dirname(file));
    await writeFile(file, '');
  }

  #mark(domain: string, name: string): string {
    return join(this.#options.stateDir, 'servers', `${domain}.sessions`, sha256(name).slice(0, 32));
  }
}
