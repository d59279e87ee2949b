import { join } from 'node:path';
import type { Store } from '../engine/ports/storePort.ts';
import { alteredRows } from '../engine/run/alteredRows.ts';
import { type Check, checked, failedCheck } from '../protocol/checks.ts';

/** Checks the database and the journals. Runs no program. */
export async function* checkStored(
  store: Pick<Store, 'altered' | 'check' | 'summaries' | 'verify'>,
  stateFolder: string,
): AsyncGenerator<Check, void, undefined> {
  try {
    yield* checkTables(store, join(stateFolder, 'backups'));
  } catch (error) {
    yield failedCheck('database', error);
  }
}

async function* checkTables(
  store: Pick<Store, 'altered' | 'check' | 'summaries' | 'verify'>,
  backups: string,
): AsyncGenerator<Check, void, undefined> {
  const { schema, sqlite, problem } = await store.check();
  yield problem === null
    ? checked('database', 'pass', 'DATABASE_INTACT', { schema, sqlite })
    : checked('database', 'fail', 'DATABASE_DAMAGED', { problem, backups });
  let entries = 0;
  let damaged = 0;
  const tickets = await store.summaries();
  for (const { id } of tickets) {
    const result = await store.verify(id);
    const altered = result.ok ? await alteredRows(store, id) : '';
    if (result.ok) entries += result.length;
    else yield checked('journals', 'fail', 'JOURNAL_DAMAGED', { ticket: id, seq: result.seq, backups });
    if (altered !== '') yield checked('journals', 'fail', 'ROWS_DIFFER', { ticket: id, rows: altered });
    if (!result.ok || altered !== '') damaged += 1;
  }
  if (damaged === 0)
    yield checked('journals', 'pass', 'JOURNALS_VALID', { tickets: tickets.length, entries });
}
