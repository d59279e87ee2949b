import { statSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isTerminal, statuses } from '../../../domain/workflow/workflow.ts';
import { FinishedTicket, type TextRemoval } from '../file/maintenance.ts';
import { SqliteDatabase, backupNames, sizeOf } from '../sqlite/database.ts';
import { openDatabase } from '../file/openDatabase.ts';

const removedText = '(removed by a cleanup)';

const over = JSON.stringify(statuses.filter(isTerminal));
const isOver = `tickets.status IN (SELECT value FROM json_each(?1))`;
const Row = FinishedTicket.omit({ texts: true, sessions: true });
const Session = z.object({ ticket: z.string(), id: z.string(), directory: z.string() });
const Texts = z.object({ ticket: z.string(), count: z.number(), bytes: z.number() });
const Large = z.object({ ticket: z.string(), hash: z.string() });

export function finishedTickets(folder: string): readonly FinishedTicket[] {
  const database = new SqliteDatabase(folder, { readOnly: true });
  try {
    const large = largeTexts(database);
    const texts = new Map(
      database
        .rows(
          Texts,
          `SELECT ticket, count(*) AS count, sum(CASE typeof(input) WHEN 'text' THEN octet_length(input) ELSE 0 END
             + CASE typeof(output) WHEN 'text' THEN octet_length(output) ELSE 0 END) AS bytes
           FROM calls JOIN tickets ON tickets.id = ticket WHERE ${isOver} AND input <> ?2 GROUP BY ticket`,
          over,
          removedText,
        )
        .map((row) => [row.ticket, row] as const),
    );
    const sessions = Map.groupBy(
      database.rows(
        Session,
        `SELECT ticket, sessions.id, directory FROM sessions JOIN tickets ON tickets.id = ticket
         WHERE ${isOver} AND NOT EXISTS (SELECT 1 FROM meta WHERE key = 'cleaned:' || ticket)`,
        over,
      ),
      ({ ticket }) => ticket,
    );
    return database
      .rows(
        Row,
        `SELECT id, status, body ->> 'updatedAt' AS at, body ->> 'worktree' AS worktree FROM tickets WHERE ${isOver}`,
        over,
      )
      .map((row) => {
        const { count = 0, bytes = 0 } = texts.get(row.id) ?? {};
        const files = [...(large.get(row.id) ?? [])]
          .map((hash) => sizeOf(join(folder, 'blobs', hash.slice(0, 2), hash)))
          .reduce((sum, size) => sum + size, 0);
        const live = (sessions.get(row.id) ?? []).map(({ id, directory }) => ({ id, directory }));
        return { ...row, texts: { count, bytes: bytes + files }, sessions: live };
      });
  } finally {
    database.close();
  }
}

function largeTexts(database: SqliteDatabase): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const column of ['input', 'output'])
    for (const { ticket, hash } of database.rows(
      Large,
      `SELECT ticket, lower(hex(${column})) AS hash FROM calls JOIN tickets ON tickets.id = ticket WHERE ${isOver} AND typeof(${column}) = 'blob'`,
      over,
    ))
      found.set(ticket, (found.get(ticket) ?? new Set()).add(hash));
  return found;
}

/**
 * Removes calls' texts with files that nothing names any more, and notes whose sessions are gone; not of
 * unfinished tickets. Throws why the database can't be written.
 */
export function removeTexts(
  { folder, installation, texts, sessions }: Omit<TextRemoval, 'task'>,
  now: number,
): void {
  const opened = openDatabase({ folder, installation, drive: false, adopt: false }, now);
  try {
    if (opened.mode !== 'open') throw opened.reason;
    const { database } = opened;
    for (const ticket of texts)
      database.write(() =>
        database.run(
          `UPDATE calls SET input = ?2, output = ?2 WHERE ticket = ?3 AND EXISTS (SELECT 1 FROM tickets WHERE id = ?3 AND ${isOver})`,
          over,
          removedText,
          ticket,
        ),
      );
    for (const ticket of sessions)
      database.write(() =>
        database.run(
          'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING',
          `cleaned:${ticket}`,
          String(now),
        ),
      );
    if (texts.length > 0) sweepBlobs(database, now);
  } finally {
    opened.database?.close();
  }
}

const columns = [
  ['journal', 'entry'],
  ['journal', 'covers'],
  ['inbox', 'body'],
  ['artifacts', 'content'],
  ['calls', 'plan'],
  ['calls', 'input'],
  ['calls', 'output'],
] as const;
const Hash = z.object({ hash: z.string() });

/** Milliseconds in which a file may be of a pending transaction. */
const graceMs = 3_600_000;

/** Removes files that no database or backup names; none if one of those can't be read. */
function sweepBlobs(database: SqliteDatabase, now: number): void {
  const { folder } = database;
  const replaced = readdirSync(folder).filter((name) => /^state\.db\.damaged-[^-]+-\d\d-[^-]+$/.test(name));
  const named = new Set<string>();
  try {
    for (const name of backupNames(folder)) addNamed(named, join(folder, 'backups'), name);
    for (const name of replaced) addNamed(named, folder, name);
  } catch {
    return;
  }
  collect(named, database);
  const blobs = join(folder, 'blobs');
  if (!existsSync(blobs)) return; // no text was that large yet
  for (const entry of readdirSync(blobs, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/^[0-9a-f]{64}$/.test(entry.name) || named.has(entry.name)) continue;
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) >= graceMs)
      rmSync(path, { force: true });
  }
}

function addNamed(named: Set<string>, folder: string, file: string): void {
  const database = new SqliteDatabase(folder, { readOnly: true, file });
  try {
    collect(named, database);
  } finally {
    database.close();
  }
}

function collect(named: Set<string>, database: SqliteDatabase): void {
  for (const [table, column] of columns)
    for (const { hash } of database.rows(
      Hash,
      `SELECT lower(hex(${column})) AS hash FROM ${table} WHERE typeof(${column}) = 'blob'`,
    ))
      named.add(hash);
}
