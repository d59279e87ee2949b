import type { DriveEnd } from '../../adapters/queue/driveQueue.ts';
import { isLoss } from '../../domain/core/errors.ts';
import { Engine, type EngineEnd } from '../../engine/drive/engine.ts';
import type { DrivenAppParts } from '../app.ts';
import { continueHere } from './continueHere.ts';

type OfTeam = NonNullable<DrivenAppParts['ofTeam']>;
interface Parts extends Pick<
  DrivenAppParts,
  'client' | 'ports' | 'behaviour' | 'onDidChangeState' | 'hurry' | 'forgeWatch' | 'onDispose'
> {
  readonly ofTeam: {
    readonly claims: OfTeam['claims'];
    readonly places: OfTeam['places'];
    readonly pushed: Pick<OfTeam['pushed'], 'forget' | 'isAway' | 'stop'>;
    readonly refs: { readonly at: (url: string) => Promise<Parameters<typeof continueHere>[0]['refs']> };
  };
}

interface Options {
  readonly atOnce: number;
  /** Milliseconds after which a runner that isn't heard of loses its tickets. */
  readonly silentMs: number;
  readonly log: (message: string) => void;
}

/** Milliseconds before a ticket is asked for again that another runner still has. */
const heldMs = 15_000;

/** Drives tickets of one repository of a team, each claimed for its drive. */
export class TeamRepository {
  readonly #parts: Parts;
  readonly #options: Options;
  readonly #engine: Engine;
  readonly #held = new Map<string, (end: EngineEnd) => void>();
  /** From the first step of a drive on, so that a second order of the same ticket finds it. */
  readonly #driving = new Set<string>();
  /** The epochs of the last drives here, by ticket. */
  readonly #last = new Map<string, number>();
  readonly #ending = new AbortController();
  #isLost = false;

  constructor(parts: Parts, options: Options) {
    this.#parts = parts;
    this.#options = options;
    const isHeld = (ticket: string): boolean => this.#held.has(ticket);
    this.#engine = new Engine(parts.ports, parts.behaviour, isHeld, options.atOnce, true);
    this.#engine.onDidBecomeIdle((end) => {
      const ended = this.#held.get(end.ticket);
      // At once, so that no later change starts it again.
      this.#held.delete(end.ticket);
      ended?.(end);
    });
    parts.onDidChangeState(({ kind }) => {
      if (kind === 'lost') this.#isLost = true;
    });
  }

  /** Says that it has to be opened again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get client(): Parts['client'] {
    return this.#parts.client;
  }

  start(): Promise<void> {
    return this.#engine.start();
  }

  /** Until the ticket waits, ends or is another runner's; undefined: this process is about to end. */
  async drive(ticket: string): Promise<DriveEnd | undefined> {
    const later = { again: this.#parts.ports.clock.now() + heldMs };
    if (this.#driving.has(ticket)) return later;
    this.#driving.add(ticket);
    try {
      return await this.#claimAndDrive(ticket, later);
    } finally {
      this.#driving.delete(ticket);
    }
  }

  async #claimAndDrive(ticket: string, later: DriveEnd): Promise<DriveEnd | undefined> {
    const { claims } = this.#parts.ofTeam;
    const claim = await claims.claim(ticket, this.#options.silentMs);
    if (!claim) return later;
    try {
      if (claim.from !== null) await this.#engine.countCrash(ticket);
      await this.#bringHere(ticket, this.#last.get(ticket) === claim.epoch - 1);
    } catch (error) {
      await claims.release(ticket);
      throw error;
    }
    // An engine that stops drives nothing more, and would never say that it ended.
    if (this.#isEnding()) {
      await claims.release(ticket);
      return undefined;
    }
    this.#last.set(ticket, claim.epoch);
    const end = await new Promise<EngineEnd>((resolve) => {
      this.#held.set(ticket, resolve);
      this.#engine.drive(ticket);
    });
    if ('error' in end) this.#options.log(`${ticket}: ${end.error.code}: ${end.error.message}`);
    if ('error' in end && end.error.code === 'EPOCH_LOST') return { again: null };
    // The database is opened again, and the ticket is still this runner's.
    if ('error' in end && isLoss(end.error)) throw end.error;
    await claims.release(ticket);
    if ('error' in end) return { again: null };
    if (end.idle.state === 'stopped') return this.#isEnding() ? undefined : { again: null };
    return { again: end.idle.state === 'waiting' ? (end.idle.until ?? null) : null };
  }

  /** `isHere`: this clone has all that the ticket's last runner did. */
  async #bringHere(ticket: string, isHere: boolean): Promise<void> {
    const { ports, ofTeam } = this.#parts;
    const { places, pushed, refs } = ofTeam;
    const { now, wanted } = await places.of(ticket);
    const isLeft = now !== wanted;
    if (!isHere || isLeft) pushed.forget(ticket);
    if (isHere) return;
    const { signal } = this.#ending;
    await continueHere({ ports, refs: await refs.at(now), signal, isLeft }, ticket);
  }

  /** The number of drives that wait for a person or the remote, and let others work. */
  get asides(): number {
    const { pushed } = this.#parts.ofTeam;
    return [...this.#held.keys()].filter((id) => this.#engine.isAside(id) || pushed.isAway(id)).length;
  }

  /** Ends the drives of tickets that others took over while this process slept. */
  async dropLost(): Promise<void> {
    for (const ticket of [...this.#held.keys()]) {
      const fenced = this.#parts.ports.store.commit({ ticket, journal: [] });
      await fenced.catch((error: unknown) => {
        if (isLoss(error)) this.#engine.drop(ticket);
      });
    }
  }

  /** Watches the pull requests of these tickets, as `ForgeWatch.follow`. */
  watch(tickets: ReadonlyMap<string, number>): void {
    this.#parts.forgeWatch?.follow(tickets);
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Ends the drives at a safe point. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#parts.ofTeam.pushed.stop();
    await Promise.all([this.#engine.stop(), this.#parts.forgeWatch?.stop()]);
  }

  /** Calls of the database wait for it no longer. */
  hurry(): void {
    this.#parts.hurry();
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.hurry();
    for (const end of this.#parts.onDispose) await end();
  }
}
