import * as z from 'zod';
import { Finding } from '../../../domain/findings/finding.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run } from '../../../engine/run/run.ts';
import {
  becoming,
  decideFindings,
  saveFindings,
  storedFindings,
  toFix,
  withoutDecided,
} from '../../shared/findings.ts';

const List = z.array(Finding);

/**
 * Carries out what people decided about findings since the last time. `key` keeps the steps of several times
 * in one run apart.
 */
export async function takeDecisions(run: Run, ticket: TicketSnapshot, key: string): Promise<void> {
  const entries = await run.take(key, ['finding']);
  if (entries.length === 0) return;
  await run.record(`${key}:decide`, z.null(), async (io) => {
    await decideFindings(io, ticket, entries);
    return null;
  });
}

interface Place {
  readonly bead: string;
  readonly iteration: number;
}

/** Of findings that were to be fixed, those that still are. */
export function stillPlanned(run: Run, key: string, planned: readonly Finding[]): Promise<Finding[]> {
  return run.record(key, List, async (io) => [...withoutDecided(await storedFindings(io), planned)]);
}

/** The same, with what a person accepted of the iteration since. */
export function nextFix(
  run: Run,
  key: string,
  planned: readonly Finding[],
  place: Place,
): Promise<Finding[]> {
  return run.record(key, List, async (io) => [...toFix(await storedFindings(io), planned, place)]);
}

/** The findings of a fix that starts now: what people accepted is noted as given to it. */
export function givenToFix(
  run: Run,
  ticket: TicketSnapshot,
  planned: readonly Finding[],
  place: Place,
): Promise<Finding[]> {
  return run.record('given', List, async (io) => {
    const document = await storedFindings(io);
    const given = toFix(document, planned, place);
    const accepted = document.decisions.filter(
      ({ finding, became }) => became === null && given.some(({ id }) => id === finding),
    );
    const ids = accepted.map(({ finding }) => finding);
    if (ids.length > 0) saveFindings(io, ticket, becoming(document, ids, 'fix'));
    return [...given];
  });
}
