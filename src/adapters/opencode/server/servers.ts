import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { Sandbox } from '../../../engine/ports/sandboxPort.ts';
import type { Domain } from '../sandbox/domains.ts';
import { EventHub } from '../client/eventHub.ts';
import { opencodeConfigFolder, opencodeVersion } from './findOpencode.ts';
import type { KnownModel } from '../models/catalogue.ts';
import { OpencodeClient } from '../client/opencodeClient.ts';
import { isAlive } from '../../system/processes.ts';
import { ServerManager } from './serverManager.ts';
import { ServerUse } from './serverUse.ts';

export interface ServersOptions {
  /** The folder where servers leave their records, sessions and logs: `<git common dir>/beadsmith`. */
  readonly stateDir: string;
  readonly agentPrompts: Readonly<Record<ToolPolicy, string>>;
  /** The user's OpenCode configuration, of which the provider parts are used. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** A server that the user runs: used, and neither started nor stopped. */
  readonly url?: { readonly url: string; readonly password?: string };
  /** The machine's setting; wins over PATH and cache. */
  readonly opencodePath?: string;
  /**
   * Time that a server outlives its last use, in milliseconds. Default: 60 s, enough for a window to reload.
   */
  readonly graceMs?: number;
  /**
   * 30 s: starting takes two, but much longer on a busy machine. A server that exits instead is noticed at
   * once.
   */
  readonly startLimitMs?: number;
  /** The resident memory above which an idle server is replaced. */
  readonly maxBytes?: number;
  /**
   * Time that a command of an agent may take if the agent names none, in milliseconds. Default: ten minutes.
   */
  readonly commandMs?: number;
  /**
   * Folders of the repository and its worktrees: OpenCode and what it starts by itself aren't taken from
   * them.
   */
  readonly inside?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log?: (message: string) => void;
  /**
   * Confines servers, one for each trust domain. Without it, and where it is of the kind `none`, there is one
   * server for everything.
   */
  readonly sandbox?: Sandbox;
  /** Hosts that a setup in a box may fetch from beside the usual registries. */
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

/**
 * So long after its last request a process still counts as a user: most requests are followed by the next.
 */
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
      stateDir: options.stateDir,
      domain: domain.name,
      inside: options.inside ?? [],
      ...(sandbox === undefined || sandbox.kind === 'none' ? {} : { box: { sandbox, domain, sandboxHosts } }),
      agentPrompts: options.agentPrompts,
      config: options.config ?? {},
      env: options.env ?? process.env,
      ...(options.opencodePath === undefined ? {} : { opencodePath: options.opencodePath }),
      ...(options.commandMs === undefined ? {} : { commandMs: options.commandMs }),
      graceMs,
      startLimitMs: options.startLimitMs ?? 30_000,
      maxBytes: options.maxBytes ?? 1_500_000_000,
      log: options.log ?? (() => undefined),
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
    return this.#described(nonce, () => ({ url, password, ours: true, alive: () => isAlive(server) }));
  }

  async #given({ url, password }: { readonly url: string; readonly password?: string }): Promise<Server> {
    const server = this.#described(url, () => ({
      url,
      password,
      ours: false,
      alive: () => Promise.resolve(true),
    }));
    if (server.models) return server;
    const health = await server.client.health();
    if (!health.ok)
      throw new BeadsmithError('OPENCODE_START_FAILED', {
        reason: `${url} does not answer: ${health.message}`,
      });
    const found = health.value.version;
    if (found !== opencodeVersion)
      throw new BeadsmithError('OPENCODE_VERSION', { found, path: url, wanted: opencodeVersion });
    return server;
  }

  #described(
    nonce: string,
    describe: () => {
      url: string;
      password: string | undefined;
      ours: boolean;
      alive: () => Promise<boolean>;
    },
  ): Server {
    if (this.#current?.nonce === nonce) return this.#current.server;
    this.#current?.server.hub.dispose();
    const { url, password, ours, alive } = describe();
    // A server of ours stands below the repository's `.git`, where git is asked about every place.
    const outside = ours ? opencodeConfigFolder(this.#options.env ?? process.env) : undefined;
    const client = new OpencodeClient({ url, password, outside });
    const server: Server = { client, hub: new EventHub(client), ours, alive, models: undefined };
    this.#current = { nonce, server };
    return server;
  }
}
