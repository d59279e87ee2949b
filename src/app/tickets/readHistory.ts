import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../adapters/store/database.ts';
import { readPastCalls, readPastRuns } from '../../adapters/store/readHistory.ts';
import { readUsage } from '../../adapters/store/reads.ts';
import { readTickets } from '../../adapters/store/tickets.ts';
import { type FinishedTicket } from '../../domain/estimate/estimate.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';

/** Of so many tickets it is read what they took. */
const newest = 20;

/**
 * What the tickets took that were completed in a repository, the newest first (docs/decisions/143-dry-run.md). Only reads: no database is made, no lock is
 * taken. None where there is no database, or none that this version can read. `commonDir`: the git common dir.
 */
export function readFinished(commonDir: string): readonly FinishedTicket[] {
  const folder = join(commonDir, 'beadsmith');
  if (!existsSync(join(folder, 'state.db'))) return [];
  let database: Database | undefined;
  try {
    database = new Database(folder, { readOnly: true });
    return finishedIn(database);
  } catch {
    return [];
  } finally {
    database?.close();
  }
}

function finishedIn(database: Database): readonly FinishedTicket[] {
  const completed = readTickets(database).filter(({ status }) => roleOf(status) === 'completed');
  const latest = completed.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, newest);
  return latest.flatMap(({ id, settings }) => {
    const calls = readPastCalls(database, id).length;
    if (!settings || calls === 0) return [];
    const usage = readUsage(database, id);
    const cost = usage.reduce((sum, one) => sum + one.cost, 0);
    const ends = new Map(readPastRuns(database, id).map((run, place, runs) => [run, runs[place + 1]?.startedAt ?? run.startedAt]));
    const worked = [...ends].filter(([{ status, parent }]) => parent === null && rowOf(status).kind === 'auto');
    return [
      {
        depth: settings.depth,
        calls,
        tokens: usage.reduce((sum, one) => sum + one.input + one.cacheRead + one.cacheWrite + one.output + one.reasoning, 0),
        minutes: worked.reduce((sum, [{ startedAt }, end]) => sum + Math.max(0, end - startedAt), 0) / 60_000,
        money: cost > 0 ? cost : null,
      },
    ];
  });
}
