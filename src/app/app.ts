import type { OpenedStore } from '../adapters/store/openStore.ts';
import { type BeadsmithError, isLoss } from '../domain/core/errors.ts';
import { Engine } from '../engine/drive/engine.ts';
import type { Behaviour } from '../engine/drive/runner.ts';
import type { Ports, Repository } from '../engine/ports/ports.ts';
import type { Client, DrivingMode } from '../protocol/api.ts';

/** The whole product on one repository, without an editor. */
export interface App {
  readonly client: Client;
  readonly mode: DrivingMode;
  readonly repository: Repository;
  readonly ports: Ports;
  /** Only a driver has one. It runs from `start` on. */
  readonly engine: Engine | undefined;
  /** Starts to drive: every ticket, or only the wanted ones and those that get an inbox entry meanwhile. */
  start(wanted: 'all' | readonly string[]): Promise<void>;
  /** The error that ended the driving of a ticket here (EPOCH_LOST, a database failure), if there is one. */
  failure(ticket: string): BeadsmithError | undefined;
  /**
   * Returns why this process has to open the repository again: another one took over (EPOCH_LOST), or the
   * database is lost (DATABASE_LOST).
   */
  lost(): BeadsmithError | undefined;
  /** Told when another process locks the database for long, no longer does, or it can't be used any more. */
  readonly onDidChangeState: OpenedStore['onDidChangeState'];
  /** For a follower: whether the process that drove is gone, so that opening again might take over. */
  driverIsGone(): Promise<boolean>;
  /** Stops the engine, without waiting long for a locked database. The next process continues. */
  stop(): Promise<void>;
  /** Ends in an orderly way: the engine, the OpenCode servers, the ownership, the database. */
  dispose(): Promise<void>;
}

export interface DrivenAppParts extends Pick<
  App,
  'client' | 'mode' | 'repository' | 'ports' | 'onDidChangeState'
> {
  readonly behaviour: Behaviour;
  /** Number of tickets that code at a time. */
  readonly codingTickets: number;
  readonly driverIsGone: () => Promise<boolean>;
  readonly hurry: () => void;
  /** True if the process that drove before this one died. */
  readonly afterCrash?: boolean;
  /** The parts that have to end after the engine, in this order. */
  readonly onDispose: readonly (() => Promise<void>)[];
}

/** An app over composed parts. A driver has an engine, every other process only the client. */
export class DrivenApp implements App {
  readonly client: Client;
  readonly mode: DrivingMode;
  readonly repository: Repository;
  readonly ports: Ports;
  readonly engine: Engine | undefined;
  readonly driverIsGone: () => Promise<boolean>;
  readonly onDidChangeState: OpenedStore['onDidChangeState'];
  readonly #hurry: () => void;
  readonly #afterCrash: boolean;
  readonly #wanted = new Set<string>();
  readonly #failures = new Map<string, BeadsmithError>();
  readonly #onDispose: readonly (() => Promise<void>)[];
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
    this.#hurry = parts.hurry;
    this.#afterCrash = parts.afterCrash ?? false;
    parts.onDidChangeState((state) => {
      if (state.kind === 'lost') this.#lost ??= state.error;
    });
    this.#onDispose = parts.onDispose;
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
    // Another process that files something for a ticket relies on the driver: from then on that ticket is
    // wanted too. Own commits bring nothing into the inbox, and there are many.
    this.#watch = this.ports.store.onDidChange((_ticket, cause) => {
      if (cause !== 'commit') void this.#adopt();
    });
    await this.engine.start({ afterCrash: this.#afterCrash });
    // A person who names a draft wants to know its status.
    for (const ticket of this.#wanted) this.engine.drive(ticket);
    await this.#adopt();
  }

  failure(ticket: string): BeadsmithError | undefined {
    return this.#failures.get(ticket);
  }

  lost(): BeadsmithError | undefined {
    return this.#lost;
  }

  async stop(): Promise<void> {
    this.#hurry();
    await this.engine?.stop();
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    this.#watch?.dispose();
    await this.stop();
    for (const end of this.#onDispose) await end();
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
      // The store is being closed; the next driver sees what lies in the inbox.
    }
  }
}
