import {
  BeadsmithError,
  type ErrorCode,
  isLoss,
  passes,
  toBeadsmithError,
} from '../../domain/core/errors.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal, rowOf } from '../../domain/workflow/workflow.ts';
import { blockTransition } from '../journal/transition.ts';
import type { Ports } from '../ports/ports.ts';
import { isHeldByStep, type Ticket } from '../../domain/ticket/ticket.ts';
import { tell, tellBlocked } from '../run/tell.ts';

/** Errors that another try can't help: the ticket or the whole database can't be worked on. */
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
const withinMs = 600_000;

/**
 * Decides about a drive that ended in an error: it is started again after a pause, and the third time within
 * ten minutes the ticket blocks.
 */
export class FailedDrives {
  readonly #ports: Ports;
  readonly #failures = new Map<string, readonly number[]>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Returns true if the ticket is to be driven again, after a pause if need be. */
  async startsAgain(ticket: string, error: BeadsmithError, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#ports;
    if (signal.aborted || isLoss(error) || final.includes(error.code)) return false;
    const now = clock.monotonic();
    const recent = (this.#failures.get(ticket) ?? []).filter((at) => now - at < withinMs);
    // A full disk or a locked database says nothing about the ticket.
    const failures = passes(error) ? recent : [...recent, now];
    this.#failures.set(ticket, failures);
    if (failures.length >= mostFailures) return this.#block(ticket, error, failures.length);
    await clock.sleep(passes(error) ? 5 * pauseMs : pauseMs * 5 ** (failures.length - 1), signal);
    return !signal.aborted;
  }

  /** False if the ticket can't even be blocked; then the error ends the drive. */
  async #block(id: string, cause: BeadsmithError, count: number): Promise<boolean> {
    const { store } = this.#ports;
    this.#failures.delete(id);
    try {
      const ticket = await store.ticket(id);
      if (!ticket || isTerminal(ticket.status) || roleOf(ticket.status) === 'blocked') return false;
      const error = new BeadsmithError(
        'DRIVE_FAILED',
        { ticket: id, count, reason: cause.message },
        { cause },
      );
      await store.commit(blockTransition(ticket, error));
      tellBlocked(this.#ports, id, error);
      return true;
    } catch {
      return false;
    }
  }
}

const crashLimit = 3;
const windowMs = 600_000;
const takenOver = 'The process that drove this ticket ended without closing. This one took over.';

/**
 * The process that drove before this one died at work. What its tickets were doing may be the cause: the
 * third time within ten minutes in the same status, a ticket blocks with CRASH_LOOP
 * (docs/decisions/003-retry-continue-and-cancel.md). An open iteration counts for itself (`childRun.ts`).
 */
export async function countCrash(ports: Ports, ids: readonly string[]): Promise<void> {
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
    if (crashes.length < crashLimit) {
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
  // Of a gate only what its handler does; a wait for a person notes since when.
  return (
    run !== undefined &&
    (await store.steps(run.id)).some((step) => step.state === 'intent' && !isWait(step.notes[0]))
  );
}

function isWait(note: unknown): boolean {
  return typeof note === 'object' && note !== null && 'since' in note;
}

/** A ticket; undefined for one that can't be read: its own drive says so, and the others are driven. */
export async function readableTicket(
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
