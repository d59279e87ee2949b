import type { OpenedStore } from '../adapters/store/openStore.ts';
import { type BeadsmithError, isLoss } from '../domain/core/errors.ts';
import { Engine } from '../engine/drive/engine.ts';
import type { Behaviour } from '../engine/drive/runner.ts';
import type { Ports, Repository } from '../engine/ports/ports.ts';
import type { Claims, CommitPlaces } from '../engine/ports/storePort.ts';
import type { Client, DrivingMode } from '../protocol/api.ts';
import type { PlacedRefs } from './tickets/placedRefs.ts';
import type { PushedCommits } from './tickets/pushedCommits.ts';
import type { ForgeWatch } from './forgeWatch.ts';

/** The whole product on one repository, without an editor. */
export interface App {
  readonly client: Client;
  readonly mode: DrivingMode;
  readonly repository: Repository;
  readonly ports: Ports;
  /** For a driver, from `start` on. */
  readonly engine: Engine | undefined;
  /** Drives every ticket, or the wanted ones and those with new inbox entries. */
  start(wanted: 'all' | readonly string[]): Promise<void>;
  /** The error that ended a ticket's drive here. */
  failure(ticket: string): BeadsmithError | undefined;
  /** Says that the repository has to be opened again: EPOCH_LOST or DATABASE_LOST. */
  lost(): BeadsmithError | undefined;
  readonly onDidChangeState: OpenedStore['onDidChangeState'];
  /** For a follower: opening again might take over. */
  driverIsGone(): Promise<boolean>;
  /** Doesn't wait long for a locked database. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

export interface DrivenAppParts extends Pick<
  App,
  'client' | 'mode' | 'repository' | 'ports' | 'onDidChangeState'
> {
  readonly behaviour: Behaviour;
  readonly codingTickets: number;
  readonly driverIsGone: () => Promise<boolean>;
  readonly hurry: () => void;
  readonly forgeWatch?: ForgeWatch;
  /** The previous driver died. */
  readonly afterCrash?: boolean;
  /** A runner's hold on a team's tickets, and their commits where others find them. */
  readonly ofTeam?: {
    readonly claims: Claims;
    readonly places: CommitPlaces;
    readonly pushed: PushedCommits;
    readonly refs: PlacedRefs;
  };
  /** They end after the engine, in this order. */
  readonly onDispose: readonly (() => Promise<void>)[];
}

export class DrivenApp implements App {
  readonly client: Client;
  readonly mode: DrivingMode;
  readonly repository: Repository;
  readonly ports: Ports;
  readonly engine: Engine | undefined;
  readonly driverIsGone: () => Promise<boolean>;
  readonly onDidChangeState: OpenedStore['onDidChangeState'];
  readonly #parts: Pick<DrivenAppParts, 'afterCrash' | 'hurry' | 'forgeWatch' | 'onDispose'>;
  readonly #wanted = new Set<string>();
  readonly #failures = new Map<string, BeadsmithError>();
  readonly #openedAt: number;
  #lost: BeadsmithError | undefined;
  #all = false;
  #watch: { dispose(): void } | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: DrivenAppParts) {
    this.client = parts.client;
    this.mode = parts.mode;
    this.repository = parts.repository;
    this.ports = parts.ports;
    this.driverIsGone = parts.driverIsGone;
    this.onDidChangeState = parts.onDidChangeState;
    this.#parts = parts;
    parts.onDidChangeState((state) => {
      if (state.kind === 'lost') this.#lost ??= state.error;
    });
    this.#openedAt = parts.ports.clock.now();
    const isWanted = (ticket: string): boolean => this.#all || this.#wanted.has(ticket);
    if (parts.mode === 'driver')
      this.engine = new Engine(parts.ports, parts.behaviour, isWanted, parts.codingTickets);
    this.engine?.onDidBecomeIdle((end) => {
      if (!('error' in end)) return;
      this.#failures.set(end.ticket, end.error);
      if (isLoss(end.error)) this.#lost ??= end.error;
    });
  }

  async start(wanted: 'all' | readonly string[]): Promise<void> {
    if (!this.engine) return;
    this.#all = wanted === 'all';
    if (wanted !== 'all') for (const ticket of wanted) this.#wanted.add(ticket);
    // Other processes rely on the driver for what they file. Own commits bring nothing into the inbox.
    this.#watch = this.ports.store.onDidChange((_ticket, cause) => {
      if (cause !== 'commit') void this.#adopt();
    });
    await this.engine.start({ afterCrash: this.#parts.afterCrash ?? false });
    // A person who names a draft wants to know its status.
    for (const ticket of this.#wanted) this.engine.drive(ticket);
    await this.#adopt();
    await this.#parts.forgeWatch?.start((ticket) => this.#all || this.#wanted.has(ticket));
  }

  failure(ticket: string): BeadsmithError | undefined {
    return this.#failures.get(ticket);
  }

  lost(): BeadsmithError | undefined {
    return this.#lost;
  }

  async stop(): Promise<void> {
    this.#parts.hurry();
    await this.#parts.forgeWatch?.stop();
    await this.engine?.stop();
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    this.#watch?.dispose();
    await this.stop();
    for (const end of this.#parts.onDispose) await end();
  }

  async #adopt(): Promise<void> {
    if (this.#all) return;
    try {
      for (const id of await this.ports.store.active()) {
        if (this.#wanted.has(id)) continue;
        const pending = await this.ports.store.inbox(id, { pending: true });
        if (!pending.some((entry) => entry.postedAt >= this.#openedAt)) continue;
        this.#wanted.add(id);
        this.engine?.drive(id);
      }
    } catch {
      // The store is closing; the next driver reads the inbox.
    }
  }
}
