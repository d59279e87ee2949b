import { hash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { JournalEntry, type JournalRow, type Store } from '../../../engine/ports/storePort.ts';
import type { Database } from '../sql/database.ts';
import { newestBackup, type SqliteDatabase } from '../sqlite/database.ts';
import { Covers, JournalColumns, parseJson } from '../sql/rows.ts';
import { writeAtomicallySync } from '../../system/files.ts';

const Tip = z.object({ seq: z.number(), hash: z.string() });
export type Tip = z.infer<typeof Tip>;
const Last = z.object({ seq: z.number() });

/** The journal's last entry; seq 0 and an empty hash before the first. */
export function tipOf(database: Database, ticket: string): Tip {
  const row = database.get(
    'SELECT seq, hash FROM journal WHERE ticket = ? ORDER BY seq DESC LIMIT 1',
    ticket,
  );
  return row === undefined ? { seq: 0, hash: '' } : Tip.parse(row);
}

/** Packed before the transaction, because a large text is written to a file. */
interface PackedEntry {
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

/** Call it in a transaction; returns the new tip. `covers`: digests of the rows. */
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
  const parsed = { ...rest, prevHash, entry: JournalEntry.parse(parseJson(database.unpack(entry))) };
  return covers === null ? parsed : { ...parsed, covers: Covers.parse(parseJson(database.unpack(covers))) };
}

/** See the port. Filtered by kind in SQL, so that results aren't read. */
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

/** Recomputes the chain. A missing tail shows as a projection of later entries. */
export function verifyJournal(database: Database, ticket: string): Awaited<ReturnType<Store['verify']>> {
  let previous: Tip = { seq: 0, hash: '' };
  for (const stored of database.all('SELECT * FROM journal WHERE ticket = ? ORDER BY seq', ticket)) {
    const link = checkedLink(database, previous, stored);
    if (!link) return { ok: false, seq: previous.seq + 1 };
    previous = link.tip;
  }
  const known = Last.parse(
    database.get(
      `SELECT max(seq) AS seq FROM (SELECT max(intent_seq) AS seq FROM steps WHERE ticket = ?1
         UNION ALL SELECT max(end_seq) FROM steps WHERE ticket = ?1
         UNION ALL SELECT max(opened_seq) FROM runs WHERE ticket = ?1
         UNION ALL SELECT max(continued_seq) FROM runs WHERE ticket = ?1
         UNION ALL SELECT count(*) FROM tickets WHERE id = ?1) AS known`,
      ticket,
    ),
  );
  return known.seq > previous.seq ? { ok: false, seq: previous.seq + 1 } : { ok: true, length: previous.seq };
}

/** The next tip and the covered text; undefined if the entry isn't as written. */
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
 * sha256(prevHash + canonicalJson({ seq, at, epoch, entry, covers })), of canonical texts built once. Null
 * `covers` is left out.
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
    `${previous}{"at":${JSON.stringify(at)},${covered}"entry":${entry},"epoch":${epoch},"seq":${seq}}`,
  );
}

function readable(database: Database, stored: string | Uint8Array): string | undefined {
  try {
    return database.unpack(stored);
  } catch {
    return undefined; // its file is gone or changed: the entry is broken
  }
}

const TipRow = Tip.extend({ ticket: z.string() });
const Hash = z.object({ hash: z.string() }).optional();
const line = /^(\S+) (\d+) ([0-9a-f]{64})$/;

/** Bytes; then the file is rewritten with a line per ticket. */
const longest = 1024 * 1024;

/**
 * Each ticket's last entry, in a file beside the database: tells an older copy or a cut journal, both whole
 * by themselves. Written after commits, so it may be behind the database, never ahead. Half a line or a
 * missing file says nothing.
 */
export class Tips {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'state.tips');
  }

  note(ticket: string, { seq, hash }: Tip): void {
    try {
      // First, because a crash may have left half a line.
      appendFileSync(this.#file, `\n${ticket} ${seq} ${hash}`, { mode: 0o600 });
    } catch {
      // As on a full disk: it is behind until it can be written.
    }
  }

  /** Read it before the database, which then is at least as new. */
  read(): ReadonlyMap<string, Tip> {
    const tips = new Map<string, Tip>();
    for (const text of this.#text().split('\n')) {
      const [, ticket, seq, hash] = line.exec(text) ?? [];
      if (ticket !== undefined && hash !== undefined) tips.set(ticket, { seq: Number(seq), hash });
    }
    return tips;
  }

  /** Rewrites it by the database: if there is none, if it is long, and after a restore. */
  write(database: SqliteDatabase): void {
    const rows = database.rows(
      TipRow,
      `SELECT ticket, seq, hash FROM journal AS one WHERE seq = (SELECT max(seq) FROM journal WHERE ticket = one.ticket) ORDER BY ticket`,
    );
    const lines = rows.map(({ ticket, seq, hash }) => `${ticket} ${seq} ${hash}`);
    writeAtomicallySync(this.#file, lines.join('\n'), 0o600);
  }

  get isDue(): boolean {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size;
    return size === undefined || size > longest;
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #text(): string {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch {
      return '';
    }
  }
}

/** Throws DATABASE_BEHIND if the database lacks an entry. */
export function refuseOlder(database: SqliteDatabase, tips: ReturnType<Tips['read']>): void {
  for (const [ticket, { seq, hash }] of tips) {
    const found = Hash.parse(
      database.get('SELECT hash FROM journal WHERE ticket = ? AND seq = ?', ticket, seq),
    );
    if (found?.hash === hash) continue;
    const backup = newestBackup(database.folder) ?? '(none)';
    throw new BeadsmithError('DATABASE_BEHIND', { path: database.path, ticket, seq, backup });
  }
}
