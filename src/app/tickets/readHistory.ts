import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../adapters/store/sqlite/database.ts';
import { readPastCalls, readPastRuns } from '../../adapters/store/readHistory.ts';
import { readBeads, readUsage } from '../../adapters/store/reads.ts';
import { readTickets } from '../../adapters/store/tickets.ts';
import { completedTicket, type CompletedTicket } from '../../domain/estimate/completedTicket.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { tokensOf } from '../../domain/usage/budgets.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';

/** Of so many tickets it is read what they took. */
const newest = 20;

/**
 * Reads the effort of the tickets that were completed in a repository, the newest first
 * (docs/decisions/143-dry-run.md). Only reads: no database is made, no lock is taken. None where there is no
 * database, or none that this version can read. `commonDir`: the git common dir.
 */
export function readCompleted(commonDir: string): readonly CompletedTicket[] {
  const folder = join(commonDir, 'beadsmith');
  if (!existsSync(join(folder, 'state.db'))) return [];
  let database: Database | undefined;
  try {
    database = new Database(folder, { readOnly: true });
    return completedIn(database);
  } catch {
    return [];
  } finally {
    database?.close();
  }
}

function completedIn(database: Database): readonly CompletedTicket[] {
  const completed = readTickets(database).filter(({ status }) => roleOf(status) === 'completed');
  const latest = completed.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, newest);
  return latest.flatMap(({ id, settings }) => {
    if (!settings) return [];
    const runs = readPastRuns(database, id).filter(({ parent }) => parent === null);
    const ticket = completedTicket({
      settings,
      beads: readBeads(database, id).length,
      calls: readPastCalls(database, id),
      usage: readUsage(database, id).map((one) => ({
        call: one.call,
        tokens: tokensOf(one),
        cost: one.cost,
      })),
      runs: runs.map(({ status, startedAt }, place) => ({
        isWork: rowOf(status).kind === 'auto',
        startedAt,
        endedAt: runs[place + 1]?.startedAt ?? null,
      })),
    });
    return ticket ? [ticket] : [];
  });
}
