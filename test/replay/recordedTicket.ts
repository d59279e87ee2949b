import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/adapters/store/sql/database.ts';
import { SqliteDatabase } from '../../src/adapters/store/sqlite/database.ts';
import { append, readJournal, tipOf, verifyJournal } from '../../src/adapters/store/chain/journal.ts';
import { migrate } from '../../src/adapters/store/file/migrate.ts';
import { project } from '../../src/adapters/store/projections.ts';
import { readRuns, readSteps } from '../../src/adapters/store/reads.ts';
import { JournalEntry } from '../../src/engine/ports/storePort.ts';
import { canonicalJson } from '../../src/base/json.ts';
import type { JournalRow, RunRow, StepRow } from '../../src/engine/ports/storePort.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { insertUncovered } from '../support/engine/uncoveredTicket.ts';
import type { Recording } from './recording.ts';
import { sampleTicket } from '../support/samples.ts';

export interface RecordedRun {
  readonly row: RunRow;
  readonly steps: readonly StepRow[];
}

/** A recorded ticket as today's store reads it. */
export interface RecordedTicket {
  readonly runs: readonly RecordedRun[];
  readonly journal: readonly JournalRow[];
  /** The first entry whose hash isn't what today's store makes of it. */
  readonly brokenAt: number | undefined;
}

/**
 * Writes a recording into an empty database of today's schema, entry by entry, and reads it back as the
 * engine would.
 */
export function openRecording(recording: Recording): RecordedTicket {
  const folder = tempFolder('replay');
  const state = join(folder.path, 'beadsmith');
  mkdirSync(state);
  const database = new SqliteDatabase(state);
  try {
    database.exec('PRAGMA synchronous = OFF'); // thrown away in a moment
    migrate(database, 0);
    return recordedIn(database, recording);
  } finally {
    database.close();
    folder.remove();
  }
}

/** The same in a database that is there. */
export function recordedIn(database: Database, recording: Recording): RecordedTicket {
  const brokenAt = database.write(() => fill(database, recording));
  const ticket = recording.ticket.id;
  const verdict = verifyJournal(database, ticket);
  return {
    runs: readRuns(database, ticket).map((row) => ({ row, steps: readSteps(database, row.id) })),
    journal: readJournal(database, ticket, 0),
    brokenAt: brokenAt ?? (verdict.ok ? undefined : verdict.seq),
  };
}

function fill(database: Database, { ticket, journal }: Recording): number | undefined {
  const [first, ...rest] = journal;
  if (first?.entry['kind'] !== 'ticket.created') throw new Error('A journal begins with the creation of its ticket');
  insertUncovered(database, sampleTicket({ ...ticket, createdAt: first.at, updatedAt: first.at }), first.epoch);
  let tip = tipOf(database, ticket.id);
  let brokenAt = tip.hash === first.hash ? undefined : first.seq;
  for (const row of rest) {
    const value = JournalEntry.parse(row.entry);
    const text = canonicalJson(row.entry);
    tip = append(database, tip, { ticket: ticket.id, at: row.at, epoch: row.epoch }, { value, text, stored: database.pack(text) });
    project(database, ticket.id, tip.seq, value);
    if (tip.hash !== row.hash || tip.seq !== row.seq) brokenAt ??= row.seq;
  }
  return brokenAt;
}
