import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import { isHeldByStep, type Ticket } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { Ports } from '../ports/ports.ts';
import { type Behaviour, Runner, type IdleState } from './runner.ts';
import { countCrash, FailedDrives, readableTicket } from './failedDrives.ts';
import { Slots } from './slots.ts';

/** The end of a drive: why the ticket can't continue for now, or why this process can no longer drive it. */
export type DriveEnd =
  | { readonly ticket: string; readonly idle: IdleState }
  | { readonly ticket: string; readonly error: BeadsmithError };

/**
 * Runs the tickets of a repository. A ticket that can't continue costs nothing: it has no runner until
 * something changes. Only the driver creates an engine (docs/decisions/004-one-driver.md).
 */
export class Engine {
  readonly #ports: Ports;
  readonly #behaviour: Behaviour;
  readonly #driven = new Map<string, { runner: Runner; again: boolean; done: Promise<void> }>();
  readonly #idle = new Map<string, IdleState>();
  readonly #verified = new Set<string>();
  readonly #slots: Slots;
  readonly #ended = new Emitter<DriveEnd>();
  readonly #wanted: (ticket: string) => boolean;
  #watch: Disposable | undefined;
  readonly #failed: FailedDrives;
  readonly #ending = new AbortController();
  #stopped = false;

  /**
   * `wanted` says which tickets this process drives: all of them in the editor, one in the CLI. `atOnce`: how
   * many are worked on at a time in statuses that are limited.
   */
  constructor(
    ports: Ports,
    behaviour: Behaviour,
    wanted: (ticket: string) => boolean = () => true,
    atOnce = 1,
  ) {
    this.#ports = ports;
    this.#behaviour = behaviour;
    this.#wanted = wanted;
    this.#slots = new Slots(atOnce);
    this.#failed = new FailedDrives(ports);
  }

  readonly onDidBecomeIdle = this.#ended.on;

  /**
   * Continues every wanted ticket from its journal. `afterCrash`: the process that drove before this one
   * died.
   */
  async start({ afterCrash = false }: { readonly afterCrash?: boolean } = {}): Promise<void> {
    if (afterCrash)
      await countCrash(
        this.#ports,
        (await this.#ports.store.active()).filter((id) => this.#wanted(id)),
      );
    this.#watch = this.#ports.store.onDidChange((ticket) => {
      if (ticket !== undefined) this.drive(ticket);
      // If the database can't be read, driving a ticket reports that; the next change tries again.
      else void this.#driveAll().catch(() => undefined);
    });
    await this.#lineUp();
    await this.#driveAll();
  }

  /** Runs a ticket until it can't continue, unless it is already running. */
  drive(ticket: string): void {
    if (this.#stopped || !this.#wanted(ticket)) return;
    const driven = this.#driven.get(ticket);
    if (driven) {
      driven.again = true;
      return;
    }
    const runner = new Runner(this.#ports, this.#behaviour, ticket, this.#slots);
    const entry = { runner, again: false, done: Promise.resolve() };
    this.#driven.set(ticket, entry);
    entry.done = this.#run(ticket, entry);
  }

  /** Returns why a ticket can't continue; undefined while it runs, or if it never ran here. */
  idleState(ticket: string): IdleState | undefined {
    return this.#driven.has(ticket) ? undefined : this.#idle.get(ticket);
  }

  /** Stops all work in an orderly way. The next process continues it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ending.abort();
    this.#watch?.dispose();
    const driven = [...this.#driven.values()];
    for (const { runner } of driven) runner.stop();
    await Promise.all(driven.map(({ done }) => done));
  }

  async #run(ticket: string, entry: { runner: Runner; again: boolean }): Promise<void> {
    for (;;) {
      try {
        await this.#verify(ticket);
        let idle = await entry.runner.run();
        while (await this.#mayGoOn(ticket, entry)) idle = await entry.runner.run();
        this.#end(ticket, { ticket, idle });
        if (idle.state === 'waiting' && idle.until !== undefined) void this.#wakeAt(ticket, idle.until);
        return;
      } catch (thrown) {
        const error = toBeadsmithError(thrown);
        if (await this.#failed.startsAgain(ticket, error, this.#ending.signal)) continue;
        this.#end(ticket, { ticket, error });
        return;
      }
    }
  }

  /**
   * A ticket whose journal was changed from outside isn't run (docs/ARCHITECTURE.md §5.2). Checked once,
   * before the ticket is first run.
   */
  async #verify(ticket: string): Promise<void> {
    if (this.#verified.has(ticket)) return;
    const verdict = await this.#ports.store.verify(ticket);
    if (!verdict.ok) throw new BeadsmithError('JOURNAL_BROKEN', { ticket, seq: verdict.seq });
    this.#verified.add(ticket);
  }

  #end(ticket: string, end: DriveEnd): void {
    this.#driven.delete(ticket);
    this.#slots.release(ticket);
    if ('idle' in end) this.#idle.set(ticket, end.idle);
    this.#ended.emit(end);
  }

  /**
   * Checks whether an entry arrived while the runner was stopping. What arrives during the check is checked
   * too.
   */
  async #mayGoOn(ticket: string, entry: { again: boolean }): Promise<boolean> {
    while (entry.again && !this.#stopped) {
      entry.again = false;
      if ((await this.#ports.store.inbox(ticket, { pending: true })).length > 0) return true;
    }
    return false;
  }

  async #wakeAt(ticket: string, until: number): Promise<void> {
    await this.#ports.clock.sleep(Math.max(0, until - this.#ports.clock.now()));
    this.drive(ticket);
  }

  /**
   * A ticket that was at work when the last process ended has a slot again, before one that only waited takes
   * it.
   */
  async #lineUp(): Promise<void> {
    const tickets: Ticket[] = [];
    for (const id of await this.#ports.store.active()) {
      const ticket = this.#wanted(id) ? await readableTicket(this.#ports.store, id) : undefined;
      if (
        ticket &&
        rowOf(ticket.status).limited === true &&
        (isHeldByStep(ticket.hold) || ticket.hold === null || ticket.hold.kind === 'queue')
      )
        tickets.push(ticket);
    }
    const placeOf = ({ hold }: Ticket): number =>
      hold?.kind === 'queue' ? (hold.place ?? 0) : Number.NEGATIVE_INFINITY;
    for (const ticket of tickets.toSorted((a, b) => placeOf(a) - placeOf(b)))
      this.#slots.take(ticket.id, placeOf(ticket));
  }

  async #driveAll(): Promise<void> {
    for (const ticket of await this.#ports.store.active()) this.drive(ticket);
  }
}
