import * as z from 'zod';
import { toBeadsmithError } from '../../domain/core/errors.ts';
import { type Limits, timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { interrupts } from '../../engine/run/branches.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import type { Question } from './structured/askTypes.ts';
import { appendRecord } from './ticket/records.ts';

/** An optional phase; `bead` is empty where it is about the whole ticket. */
export interface OptionalPhase {
  readonly phase: string;
  readonly bead?: { readonly id: string; readonly iteration: number };
}

/**
 * Does the work of an optional phase (docs/decisions/145-optional-phases.md). What fails it is recorded as
 * skipped, with the reason, and answered with undefined: an optional phase never holds a ticket up. What
 * concerns the whole run, such as a stop, is thrown on.
 */
export async function optionalPhase<T>(
  run: Run,
  ticket: TicketSnapshot,
  { phase, bead }: OptionalPhase,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (interrupts(thrown)) throw thrown;
    const { code, message: reason } = toBeadsmithError(thrown);
    await run.record(`${phase}-skipped`, z.null(), async (io) => {
      if (bead)
        await appendRecord(io, ticket, {
          bead: bead.id,
          iteration: bead.iteration,
          kind: 'skip',
          payload: { phase, code, reason },
        });
      const text = `Skipped: ${phase}. ${reason}`;
      io.ports.events.emit({
        type: 'activity',
        ticket: ticket.id,
        at: io.ports.clock.now(),
        source: 'engine',
        kind: 'info',
        text,
      });
      return null;
    });
    return undefined;
  }
}

/**
 * The same for a stage that its machine passes over when it throws: the reason gets into the bead's records,
 * and is thrown on. `also`: what else is told.
 */
export async function tellingSkip<T>(
  run: Run,
  ticket: TicketSnapshot,
  { phase, bead }: Required<OptionalPhase>,
  work: () => Promise<T>,
  also?: (io: RecordIo) => Promise<void>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (interrupts(thrown)) throw thrown;
    const { code, message: reason } = toBeadsmithError(thrown);
    await run.record('skipped', z.null(), async (io) => {
      await appendRecord(io, ticket, {
        bead: bead.id,
        iteration: bead.iteration,
        kind: 'skip',
        payload: { phase, code, reason },
      });
      await also?.(io);
      return null;
    });
    throw thrown;
  }
}

/**
 * Returns the bounds of a question of an optional phase: its time, and what all of its calls may use
 * together. Its provider's failure only fails the phase.
 */
export function phaseBounds(
  limits: Limits,
  phase: string,
): Required<Pick<Question<unknown>, 'activeMs' | 'limit' | 'cap' | 'onProviderFailure'>> {
  const ms = timeoutMs(limits.optionalPhaseTimeout);
  return {
    activeMs: ms,
    limit: { name: 'optionalPhaseTimeout', ms },
    cap: { phase, tokens: limits.optionalPhaseTokens, cents: limits.optionalPhaseCents },
    onProviderFailure: 'fail',
  };
}
