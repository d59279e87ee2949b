import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import {
  BeadsmithError,
  toBeadsmithError,
  isLoss,
  passes,
  type ErrorCode,
} from '../../domain/core/errors.ts';
import { isHeldByStep, type Ticket } from '../../domain/ticket/ticket.ts';
import { rowOf, isTerminal } from '../../domain/workflow/workflow.ts';
import type { Ports } from '../ports/ports.ts';
import { Runner, type Behaviour, type IdleState } from './runner.ts';
import { Slots } from './slots.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { blockTransition } from '../journal/transition.ts';
import { tell, tellBlocked } from '../run/tell.ts';

/** The end of a drive: idle for now, or an error that this process can't drive on from. */
export type EngineEnd =
  | { readonly ticket: string; readonly idle: IdleState }
  | { readonly ticket: string; readonly error: BeadsmithError };

/** Runs the tickets of a repository; only the driver has one (docs/decisions/004-one-driver.md). */
export class Engine {
  readonly #ports: Ports;
  readonly #behaviour: Behaviour;
  readonly #driven = new Map<string, { runner: Runner; again: boolean; done: Promise<void> }>();
  readonly #idle = new Map<string, IdleState>();
  readonly #verified = new Set<string>();
  readonly #slots: Slots;
  readonly #leaves: boolean;
  readonly #ended = new Emitter<EngineEnd>();
  readonly #wanted: (ticket: string) => boolean;
  #watch: Disposable | undefined;
  readonly #failed: FailedDrives;
  readonly #ending = new AbortController();
  #stopped = false;

  /**
   * `wanted`: tickets to drive. `atOnce`: how many work at a time in limited statuses. `leaves`: long waits
   * for a time end a drive, and its owner starts the next one.
   */
  constructor(
    ports: Ports,
    behaviour: Behaviour,
    wanted: (ticket: string) => boolean = () => true,
    atOnce = 1,
    leaves = false,
  ) {
    this.#ports = ports;
    this.#behaviour = behaviour;
    this.#wanted = wanted;
    this.#slots = new Slots(atOnce);
    this.#leaves = leaves;
    this.#failed = new FailedDrives(ports);
  }

  readonly onDidBecomeIdle = this.#ended.on;

  /** `afterCrash`: the previous driver died. */
  async start({ afterCrash = false }: { readonly afterCrash?: boolean } = {}): Promise<void> {
    if (afterCrash)
      await countCrash(
        this.#ports,
        (await this.#ports.store.active()).filter((id) => this.#wanted(id)),
      );
    this.#watch = this.#ports.store.onDidChange((ticket) => {
      if (ticket !== undefined) this.drive(ticket);
      // Driving a ticket reports an unreadable database.
      else void this.#driveAll().catch(() => undefined);
    });
    await this.#lineUp();
    await this.#driveAll();
  }

  drive(ticket: string): void {
    if (this.#stopped || !this.#wanted(ticket)) return;
    const driven = this.#driven.get(ticket);
    if (driven) {
      driven.again = true;
      return;
    }
    const runner = new Runner(this.#ports, this.#behaviour, ticket, this.#slots, this.#leaves);
    const entry = { runner, again: false, done: Promise.resolve() };
    this.#driven.set(ticket, entry);
    entry.done = this.#run(ticket, entry);
  }

  /** The process that drove this ticket died at its work. */
  countCrash(ticket: string): Promise<void> {
    return countCrash(this.#ports, [ticket]);
  }

  /** Stops a ticket's drive. */
  drop(ticket: string): void {
    this.#driven.get(ticket)?.runner.stop();
  }

  /** True while the ticket waits for a person, whom an agent asked. */
  isAside(ticket: string): boolean {
    return this.#driven.get(ticket)?.runner.isAside === true;
  }

  /** Undefined while it runs, or if it never ran here. */
  idleState(ticket: string): IdleState | undefined {
    return this.#driven.has(ticket) ? undefined : this.#idle.get(ticket);
  }

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
        if (!this.#leaves && idle.state === 'waiting' && idle.until !== undefined)
          void this.#wakeAt(ticket, idle.until);
        return;
      } catch (thrown) {
        const error = toBeadsmithError(thrown);
        if (await this.#failed.startsAgain(ticket, error, this.#ending.signal)) continue;
        this.#end(ticket, { ticket, error });
        return;
      }
    }
  }

  /** docs/ARCHITECTURE.md §5.2. */
  async #verify(ticket: string): Promise<void> {
    if (this.#verified.has(ticket)) return;
    const verdict = await this.#ports.store.verify(ticket);
    if (!verdict.ok) throw new BeadsmithError('JOURNAL_BROKEN', { ticket, seq: verdict.seq });
    this.#verified.add(ticket);
  }

  #end(ticket: string, end: EngineEnd): void {
    this.#driven.delete(ticket);
    this.#slots.release(ticket);
    if ('idle' in end) this.#idle.set(ticket, end.idle);
    this.#ended.emit(end);
  }

  /** An entry may arrive while the runner stops, or during this check. */
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

/** Another try can't help. */
const final: readonly ErrorCode[] = [
  'JOURNAL_BROKEN',
  'DATABASE_CORRUPT',
  'DATABASE_BEHIND',
  'DATABASE_NEWER',
  'DATABASE_READ_ONLY',
  'TICKET_UNKNOWN',
  'TICKET_DAMAGED',
];

const pauseMs = 1_000;
const mostFailures = 3;
const windowMs = 600_000;

/** Restarts a failed drive; the third failure within ten minutes blocks the ticket. */
class FailedDrives {
  readonly #ports: Ports;
  readonly #failures = new Map<string, readonly number[]>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async startsAgain(ticket: string, error: BeadsmithError, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#ports;
    if (signal.aborted || isLoss(error) || final.includes(error.code)) return false;
    // It was tried often enough, and only a person can change it.
    if (error.code === 'PUSH_REFUSED') return this.#block(ticket, error);
    const now = clock.monotonic();
    const recent = (this.#failures.get(ticket) ?? []).filter((at) => now - at < windowMs);
    // A full disk or a locked database says nothing about the ticket.
    const failures = passes(error) ? recent : [...recent, now];
    this.#failures.set(ticket, failures);
    if (failures.length >= mostFailures) {
      const args = { ticket, count: failures.length, reason: error.message };
      return this.#block(ticket, new BeadsmithError('DRIVE_FAILED', args, { cause: error }));
    }
    await clock.sleep(passes(error) ? 5 * pauseMs : pauseMs * 5 ** (failures.length - 1), signal);
    return !signal.aborted;
  }

  async #block(id: string, error: BeadsmithError): Promise<boolean> {
    const { store } = this.#ports;
    this.#failures.delete(id);
    try {
      const ticket = await store.ticket(id);
      if (!ticket || isTerminal(ticket.status) || roleOf(ticket.status) === 'blocked') return false;
      await store.commit(blockTransition(ticket, error));
      tellBlocked(this.#ports, id, error);
      return true;
    } catch {
      return false;
    }
  }
}

const takenOver = 'The process that drove this ticket ended without closing. This one took over.';

/**
 * Blocks a ticket with CRASH_LOOP when the driver died at its work three times within ten minutes
 * (docs/decisions/003-retry-continue-and-cancel.md); `childRun.ts` counts iterations.
 */
async function countCrash(ports: Ports, ids: readonly string[]): Promise<void> {
  const { store, clock } = ports;
  for (const id of ids) {
    const ticket = await readableTicket(store, id);
    if (ticket && rowOf(ticket.status).kind === 'auto') tell({ ports, ticket: id }, takenOver);
    if (!ticket || !(await wasAtWork(store, ticket))) continue;
    const at = clock.now();
    const place = `${ticket.status}/${String(ticket.attempts[ticket.status] ?? 1)}`;
    const isRecent = (crash: { readonly at: number }): boolean => crash.at <= at && at - crash.at < windowMs;
    const crashes = [
      ...(ticket.crashes ?? []).filter((crash) => crash.place === place && isRecent(crash)),
      { place, at },
    ];
    if (crashes.length < mostFailures) {
      await store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { crashes } }] });
      continue;
    }
    const error = new BeadsmithError('CRASH_LOOP', {
      what: `${rowOf(ticket.status).label} (${id})`,
      count: crashes.length,
    });
    const { changes = [], ...block } = blockTransition(ticket, error);
    await store.commit({ ...block, changes: [...changes, { type: 'ticket', set: { crashes: [] } }] });
    tellBlocked(ports, id, error);
  }
}

async function wasAtWork(store: Ports['store'], ticket: Ticket): Promise<boolean> {
  const { kind } = rowOf(ticket.status);
  if (
    kind === 'terminal' ||
    (ticket.hold !== null && (!isHeldByStep(ticket.hold) || ticket.hold.request !== undefined))
  )
    return false;
  const run = await store.openRun(ticket.id, ticket.status);
  if (run && (await store.runs(ticket.id)).some(({ parent, state }) => parent === run.id && state === 'open'))
    return false;
  if (kind === 'auto') return true;
  // At a gate only its handler's work counts; a wait for a person has the note `since`.
  return (
    run !== undefined &&
    (await store.steps(run.id)).some((step) => step.state === 'intent' && !isWait(step.notes[0]))
  );
}

/** True for the note of a wait with a deadline, which isn't work. */
export function isWait(note: unknown): boolean {
  return typeof note === 'object' && note !== null && 'since' in note;
}

/** A ticket; undefined for one that can't be read, which its own drive reports. */
async function readableTicket(
  store: Pick<Ports['store'], 'ticket'>,
  id: string,
): Promise<Ticket | undefined> {
  try {
    return await store.ticket(id);
  } catch (error) {
    if (toBeadsmithError(error).code !== 'TICKET_DAMAGED') throw error;
    return undefined;
  }
}
