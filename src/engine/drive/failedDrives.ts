import { BeadsmithError, type ErrorCode, isLoss, passes } from '../../domain/core/errors.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import { blockTransition } from '../journal/transition.ts';
import type { Ports } from '../ports/ports.ts';

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
    const { store, events, clock } = this.#ports;
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
      events.emit({
        type: 'blocked',
        ticket: id,
        at: clock.now(),
        code: error.code,
        message: error.message,
        nextStep: error.nextStep,
      });
      return true;
    } catch {
      return false;
    }
  }
}
