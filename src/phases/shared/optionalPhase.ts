import * as z from 'zod';
import { type BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import { type Limits, timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { interrupts } from '../../engine/run/branches.ts';
import type { RecordIo, Run } from '../../engine/run/run.ts';
import type { Call } from './structured/askTypes.ts';
import { say } from './ticket/artifacts.ts';
import { appendRecord, type Told } from './ticket/records.ts';

interface OptionalPhase {
  readonly phase: string;
  readonly bead?: { readonly id: string; readonly iteration: number };
}

/**
 * Records a failure as skipped, and answers undefined (docs/decisions/145-optional-phases.md); throws on what
 * concerns the whole run.
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
    const { code, message: reason } = skippable(thrown);
    await run.record(`${phase}-skipped`, z.null(), async (io) => {
      if (bead) await appendRecord(io, ticket, skipOf(bead, { phase, code, reason }));
      say(io, `Skipped: ${phase}. ${reason}`);
      return null;
    });
    return undefined;
  }
}

/** The same for a stage: the reason goes into the bead's records, and is thrown on. */
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
    const { code, message: reason } = skippable(thrown);
    await run.record('skipped', z.null(), async (io) => {
      await appendRecord(io, ticket, skipOf(bead, { phase, code, reason }));
      await also?.(io);
      return null;
    });
    throw thrown;
  }
}

function skippable(thrown: unknown): BeadsmithError {
  if (interrupts(thrown)) throw thrown;
  return toBeadsmithError(thrown);
}

export function skipOf({ id, iteration }: NonNullable<OptionalPhase['bead']>, payload: unknown): Told {
  return { bead: id, iteration, kind: 'skip', payload };
}

export function phaseBounds(
  limits: Limits,
  phase: string,
): Required<Pick<Call<unknown>, 'activeMs' | 'limit' | 'cap' | 'onProviderFailure'>> {
  const ms = timeoutMs(limits.optionalPhaseTimeout);
  return {
    activeMs: ms,
    limit: { name: 'optionalPhaseTimeout', ms },
    cap: { phase, tokens: limits.optionalPhaseTokens, cents: limits.optionalPhaseCents },
    onProviderFailure: 'fail',
  };
}
