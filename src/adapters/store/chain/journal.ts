import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { JournalEntry, JournalRow, Store } from '../../../engine/ports/storePort.ts';
import type { Database } from '../sqlite/database.ts';
import { Covers, Entry, JournalColumns, parseJson } from '../sqlite/rows.ts';

const Tip = z.object({ seq: z.number(), hash: z.string() });
export type Tip = z.infer<typeof Tip>;
const Last = z.object({ seq: z.number() });

/** The last entry of a ticket's journal; seq 0 and an empty hash before the first. */
export function tipOf(database: Database, ticket: string): Tip {
  const row = database.get(
    'SELECT seq, hash FROM journal WHERE ticket = ? ORDER BY seq DESC LIMIT 1',
    ticket,
  );
  return row === undefined ? { seq: 0, hash: '' } : Tip.parse(row);
}

/**
 * An entry with its canonical text, packed. Made before the transaction, because a large text is written to a
 * file here.
 */
export interface PackedEntry {
  readonly value: JournalEntry;
  readonly text: string;
  readonly stored: string | Uint8Array;
}

export function toEntry(database: Database, value: JournalEntry): PackedEntry {
  const ending: { readonly result?: unknown } = value.kind === 'step.done' ? value : { result: null };
  // JSON would drop it silently, and the step could not be replayed.
  if (ending.result === undefined)
    throw new BeadsmithError('UNEXPECTED', {
      reason: "a step gave undefined, which can't be stored: let it give null",
    });
  const text = canonicalJson(value);
  return { value, text, stored: database.pack(text) };
}

/**
 * Appends one entry to the tip and returns the new tip. `covers`: what its transaction made of the rows. Only
 * inside a transaction.
 */
export function append(
  database: Database,
  tip: Tip,
  stamp: { readonly ticket: string; readonly at: number; readonly epoch: number },
  entry: PackedEntry,
  covers?: Covers,
): Tip {
  const seq = tip.seq + 1;
  const covered = covers === undefined ? null : canonicalJson(covers);
  const digest = chainHash(tip.hash, { seq, at: stamp.at, epoch: stamp.epoch }, entry.text, covered);
  database.run(
    'INSERT INTO journal (ticket, seq, prev_hash, hash, at, epoch, entry, covers) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    stamp.ticket,
    seq,
    tip.hash,
    digest,
    stamp.at,
    stamp.epoch,
    entry.stored,
    covered === null ? null : database.pack(covered),
  );
  return { seq, hash: digest };
}

export function readJournal(database: Database, ticket: string, afterSeq = 0): readonly JournalRow[] {
  return database
    .all('SELECT * FROM journal WHERE ticket = ? AND seq > ? ORDER BY seq', ticket, afterSeq)
    .map((row) => toRow(database, row));
}

function toRow(database: Database, row: unknown): JournalRow {
  const { prev_hash: prevHash, entry, covers, ...rest } = JournalColumns.parse(row);
  const parsed = { ...rest, prevHash, entry: Entry.parse(parseJson(database.unpack(entry))) };
  return covers === null ? parsed : { ...parsed, covers: Covers.parse(parseJson(database.unpack(covers))) };
}

/** See the port. The database filters by kind, so that results of steps aren't read. */
export function readMilestones(database: Database, ticket: string, afterSeq = 0): readonly JournalRow[] {
  return database
    .all(
      `SELECT * FROM journal WHERE ticket = ? AND seq > ? AND typeof(entry) = 'text'
       AND json_extract(entry, '$.kind') IN ('status', 'run.closed', 'step.failed') ORDER BY seq`,
      ticket,
      afterSeq,
    )
    .map((row) => toRow(database, row));
}

/**
 * Recomputes the chain from the stored bytes. A missing tail shows as a projection that refers to later
 * entries.
 */
export function verifyJournal(database: Database, ticket: string): Awaited<ReturnType<Store['verify']>> {
  let previous: Tip = { seq: 0, hash: '' };
  for (const stored of database.all('SELECT * FROM journal WHERE ticket = ? ORDER BY seq', ticket)) {
    const link = checkedLink(database, previous, stored);
    if (!link) return { ok: false, seq: previous.seq + 1 };
    previous = link.tip;
  }
  const known = Last.parse(
    database.get(
      `SELECT max(ifnull((SELECT max(max(intent_seq, ifnull(end_seq, 0))) FROM steps WHERE ticket = ?1), 0),
                  ifnull((SELECT max(max(opened_seq, continued_seq)) FROM runs WHERE ticket = ?1), 0),
                  (SELECT count(*) FROM tickets WHERE id = ?1)) AS seq`,
      ticket,
    ),
  );
  return known.seq > previous.seq ? { ok: false, seq: previous.seq + 1 } : { ok: true, length: previous.seq };
}

/**
 * The tip that a stored entry makes of the one before, and the text of what it covers; undefined if it isn't
 * the entry that was written there.
 */
export function checkedLink(
  database: Database,
  previous: Tip,
  stored: unknown,
): { readonly tip: Tip; readonly covers: string | null } | undefined {
  const row = JournalColumns.safeParse(stored);
  const seq = previous.seq + 1;
  if (!row.success || row.data.seq !== seq || row.data.prev_hash !== previous.hash) return undefined;
  const { at, epoch, hash: digest, entry, covers } = row.data;
  const text = readable(database, entry);
  const covered = covers === null ? null : readable(database, covers);
  if (
    text === undefined ||
    covered === undefined ||
    digest !== chainHash(previous.hash, { seq, at, epoch }, text, covered)
  )
    return undefined;
  return { tip: { seq, hash: digest }, covers: covered };
}

/**
 * sha256(prevHash + canonicalJson({ seq, at, epoch, entry, covers })), put together from canonical texts so
 * that they are built only once. `covers` is left out where it is null.
 */
function chainHash(
  previous: string,
  { seq, at, epoch }: { readonly seq: number; readonly at: number; readonly epoch: number },
  entry: string,
  covers: string | null,
): string {
  const covered = covers === null ? '' : `"covers":${covers},`;
  return hash(
    'sha256',
    `${previous}{"at":${JSON.stringify(at)},${covered}"entry":${entry},"epoch":${String(epoch)},"seq":${String(seq)}}`,
  );
}

function readable(database: Database, stored: string | Uint8Array): string | undefined {
  try {
    return database.unpack(stored);
  } catch {
    return undefined; // its file is gone or changed: the entry is broken
  }
}
