import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { Bead } from '../../domain/beads/bead.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxEntry } from '../../domain/ticket/inbox.ts';
import type { Usage } from '../../domain/usage/promptPlan.ts';
import { StatusName, type TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Spent } from '../../domain/usage/budgets.ts';
import type { RunSpending } from '../../domain/usage/spending.ts';
import {
  CallRow,
  JournalEntry,
  type RunRow,
  SessionRow,
  type StepRow,
} from '../../engine/ports/storePort.ts';
import {
  damageIn,
  readingTicket,
  ArtifactColumns,
  CallContents,
  InboxColumns,
  InboxRow,
  parseJson,
  RunColumns,
  newestArtifacts,
  Seqs,
  StepColumns,
  Stored,
  UsageColumns,
} from './sql/rows.ts';
import { type Database, unlimited } from './sql/database.ts';

// Made once: the first use of a schema compiles it.
const Count = z.object({ count: z.number() });
const ContentColumns = z.object({ sha256: z.string(), content: Stored });
const BodyColumn = z.object({ body: z.string() });
const Calibration = z.object({ estimated: z.number(), reported: z.number() });
const EntryColumn = z.object({ entry: Stored });
const runColumns = `SELECT runs.id, runs.ticket, state, exit, continued_seq, status, parent, entry
  FROM runs JOIN journal ON journal.ticket = runs.ticket AND journal.seq = opened_seq`;

export function readRun(database: Database, id: string): RunRow | undefined {
  const row = database.get(`${runColumns} WHERE runs.id = ?`, id);
  return row === undefined ? undefined : toRun(database, row);
}

export function readRuns(database: Database, ticket: string): readonly RunRow[] {
  return database
    .all(`${runColumns} WHERE runs.ticket = ? ORDER BY opened_seq`, ticket)
    .map((row) => toRun(database, row));
}

export function countRuns(database: Database, ticket: string): number {
  return Count.parse(
    database.get('SELECT count(*) AS count FROM runs WHERE ticket = ? AND parent IS NULL', ticket),
  ).count;
}

/** The open entry into a status; a bead's iterations are its children. */
export function readOpenRun(database: Database, ticket: string, status: string): RunRow | undefined {
  const row = database.get(
    `${runColumns} WHERE runs.ticket = ? AND status = ? AND state = 'open' AND parent IS NULL ORDER BY opened_seq DESC LIMIT 1`,
    ticket,
    status,
  );
  return row === undefined ? undefined : toRun(database, row);
}

export function readSteps(database: Database, run: string): readonly StepRow[] {
  const rows = database.all(
    `SELECT steps.*, entry FROM steps LEFT JOIN journal ON journal.ticket = steps.ticket AND journal.seq = end_seq
     WHERE run = ? ORDER BY intent_seq`,
    run,
  );
  return rows.map((row) => toStep(database, row));
}

export function readInbox(
  database: Database,
  ticket: string,
  filter: { readonly pending?: boolean } = {},
): readonly InboxEntry[] {
  const { pending } = filter;
  return database
    .all(
      `SELECT * FROM inbox WHERE ticket = ?1 AND (?2 = 'any' OR CASE state WHEN 'pending' THEN 'true' ELSE 'false' END = ?2) ORDER BY number`,
      ticket,
      String(pending ?? 'any'),
    )
    .flatMap((row) => {
      try {
        return [toInboxEntry(database, row)];
      } catch (error) {
        // Something else wrote it; others stay visible.
        if (damageIn(error) === undefined) throw error;
        return [];
      }
    });
}

export function wasConsumed(database: Database, ticket: string, entry: string): boolean {
  const found = database.get(
    `SELECT 1 FROM journal WHERE ticket = ?1 AND typeof(entry) = 'text' AND entry LIKE '%"inbox"%'
     AND json_extract(entry, '$.kind') = 'inbox' AND json_extract(entry, '$.id') = ?2 AND json_extract(entry, '$.outcome') = 'consumed'`,
    ticket,
    entry,
  );
  return found !== undefined;
}

export function readInboxEntry(database: Database, id: string): InboxEntry | undefined {
  const row = database.get('SELECT * FROM inbox WHERE id = ?', id);
  return row === undefined ? undefined : toInboxEntry(database, row);
}

const infoColumns = 'id, ticket, type, status, attempt, version, sha256, bytes, created_at, archived';

export function readArtifact(
  database: Database,
  ticket: string,
  type: string,
): { info: ArtifactInfo; content: string } | undefined {
  const row = database.get(
    `SELECT ${infoColumns} FROM artifacts WHERE ticket = ? AND type = ? AND archived = 0 ORDER BY version DESC LIMIT 1`,
    ticket,
    type,
  );
  if (row === undefined) return undefined;
  const info = toInfo(row);
  const content = readContent(database, info.id);
  return content === undefined ? undefined : { info, content };
}

export function readArtifacts(
  database: Database,
  ticket: string,
  filter: { readonly type?: string; readonly archived?: boolean } = {},
): readonly ArtifactInfo[] {
  const { type, archived } = filter;
  return database
    .all(
      `SELECT ${infoColumns} FROM artifacts WHERE ticket = ?1 AND archived = coalesce(?2, archived)
       AND (type = coalesce(?3, type) OR substr(type, 1, length(?4)) = ?4) ORDER BY id`,
      ticket,
      archived === undefined ? null : Number(archived),
      type ?? null,
      type?.endsWith(':') ? type : null,
    )
    .map(toInfo);
}

/** Checked by hash: SQLite doesn't notice a changed byte in a row. */
export function readContent(database: Database, id: number): string | undefined {
  const row = database.get('SELECT sha256, content FROM artifacts WHERE id = ?', id);
  if (row === undefined) return undefined;
  const { sha256, content } = ContentColumns.parse(row);
  const text = database.unpack(content);
  if (hash('sha256', text) === sha256) return text;
  throw new BeadsmithError('DATABASE_CORRUPT', {
    path: database.path,
    reason: `artifact ${id} changed`,
    backup: '(none)',
  });
}

export function readSnapshotParts(database: Database, ticket: string): TicketSnapshot['artifacts'] {
  return Object.fromEntries(newestArtifacts(database, ticket).map(({ type, ...part }) => [type, part]));
}

export function readBeads(database: Database, ticket: string): readonly Bead[] {
  const rows = database.all('SELECT body FROM beads WHERE ticket = ? ORDER BY position', ticket);
  return readingTicket(ticket, () => rows.map((row) => Bead.parse(parseJson(BodyColumn.parse(row).body))));
}

export function readSessions(database: Database, ticket: string): readonly SessionRow[] {
  return database.rows(SessionRow, 'SELECT * FROM sessions WHERE ticket = ? ORDER BY number', ticket);
}

export function readCalls(database: Database, ticket: string): readonly CallRow[] {
  return database
    .all(
      'SELECT *, started_at AS "startedAt", ended_at AS "endedAt" FROM calls WHERE ticket = ? ORDER BY number',
      ticket,
    )
    .map((row) => {
      const { plan, input, output, ...rest } = CallContents.parse(row);
      return CallRow.parse({
        ...rest,
        plan: parseJson(database.unpack(plan)),
        input: database.unpack(input),
        output: database.unpack(output),
      });
    });
}

export function readUsage(
  database: Database,
  ticket: string,
  newest = unlimited,
): readonly (Usage & { readonly run: string; readonly call: string | null })[] {
  return database
    .all(
      `SELECT run, message_id AS "messageId", model, input, output, reasoning, cache_read AS "cacheRead", cache_write AS "cacheWrite", cost, estimated,
         call, first_prompt AS "firstPrompt", first_read AS "firstRead", first_write AS "firstWrite"
       FROM usage WHERE ticket = ? ORDER BY rowid DESC LIMIT ?`,
      ticket,
      newest,
    )
    .toReversed()
    .map((row) => UsageColumns.parse(row));
}

const usedTokens = 'sum(input + output + reasoning + cache_read + cache_write)';
const SpentColumns = z.object({ tokens: z.number(), cents: z.number(), minutes: z.number() });
const RunSpendingColumns = SpentColumns.extend({
  run: z.string(),
  parent: z.string().nullable(),
  status: StatusName,
});

export function readSpending(database: Database, ticket: string): readonly RunSpending[] {
  return database.rows(
    RunSpendingColumns,
    `SELECT id AS run, parent, status, coalesce(tokens, 0) AS tokens, coalesce(cents, 0) AS cents, coalesce(minutes, 0) AS minutes
       FROM runs
       LEFT JOIN (SELECT run, ${usedTokens} AS tokens, 100.0 * sum(cost) AS cents FROM usage WHERE ticket = ?1 GROUP BY run) AS used ON used.run = id
       LEFT JOIN (SELECT steps.run, sum(active_ms) / 60000.0 AS minutes FROM runs JOIN steps ON steps.run = runs.id WHERE runs.ticket = ?1 GROUP BY steps.run)
         AS worked ON worked.run = id
       WHERE ticket = ?1 ORDER BY opened_seq`,
    ticket,
  );
}

export function readSpendingSince(database: Database, at: number): Spent {
  const used = database.get(
    `SELECT coalesce(${usedTokens}, 0) AS tokens, coalesce(100.0 * sum(cost), 0.0) AS cents,
       (SELECT coalesce(sum(active_ms), 0.0) / 60000.0 FROM steps JOIN journal ON journal.ticket = steps.ticket AND journal.seq = intent_seq
        WHERE active_ms > 0 AND journal.at >= ?1) AS minutes
     FROM usage WHERE call IN (SELECT id FROM calls WHERE ended_at >= ?1)`,
    at,
  );
  return SpentColumns.parse(used);
}

export function readCalibration(
  database: Database,
  model: string,
): readonly { estimated: number; reported: number }[] {
  return database.rows(
    Calibration,
    'SELECT estimated, reported FROM calls WHERE model = ? AND reported IS NOT NULL ORDER BY number DESC LIMIT 50',
    model,
  );
}

function toRun(database: Database, row: unknown): RunRow {
  const { entry: stored, ...columns } = RunColumns.parse(row);
  const { id, ticket, status, parent, state, exit, continued_seq: continuedSeq } = columns;
  const entry = JournalEntry.parse(parseJson(database.unpack(stored)));
  const opened = entry.kind === 'run.opened' ? entry.run : undefined;
  if (opened?.id === id && opened.status === status && opened.parent === parent)
    return { ...opened, state, exit, continuedSeq };
  throw new BeadsmithError('ROWS_ALTERED', { ticket, rows: `run ${id}` });
}

const endKinds = { intent: undefined, done: 'step.done', failed: 'step.failed' } as const;

/** Throws ROWS_ALTERED if a row names another step's entries. */
function toStep(database: Database, row: unknown): StepRow {
  const { intent_seq: intentSeq, active_ms: activeMs, ...columns } = StepColumns.parse(row);
  const { run, key, state, notes, ticket, entry } = columns;
  const end = entry === null ? undefined : JournalEntry.parse(parseJson(database.unpack(entry)));
  const isOwn = (one: JournalEntry): boolean => 'key' in one && one.run === run && one.key === key;
  if (end?.kind !== endKinds[state] || (end && !isOwn(end)))
    throw new BeadsmithError('ROWS_ALTERED', { ticket, rows: `step ${key}` });
  return {
    run,
    key,
    state,
    intentSeq,
    activeMs,
    notes: Seqs.parse(parseJson(notes)).map((seq) => {
      const note = readEntry(database, ticket, seq);
      if (note.kind !== 'step.note' || !isOwn(note))
        throw new BeadsmithError('ROWS_ALTERED', { ticket, rows: `step ${key}` });
      return note.note;
    }),
    result: end?.kind === 'step.done' ? end.result : undefined,
    error: end?.kind === 'step.failed' ? end.error : undefined,
  };
}

function readEntry(database: Database, ticket: string, seq: number): JournalEntry {
  const row = EntryColumn.parse(
    database.get('SELECT entry FROM journal WHERE ticket = ? AND seq = ?', ticket, seq),
  );
  return JournalEntry.parse(parseJson(database.unpack(row.entry)));
}

function toInboxEntry(database: Database, row: unknown): InboxEntry {
  const { posted_at: postedAt, body, outcome, ...rest } = InboxColumns.parse(row);
  return InboxRow.parse({
    ...rest,
    postedAt,
    body: parseJson(database.unpack(body)),
    outcome: outcome === null ? null : parseJson(outcome),
  });
}

function toInfo(row: unknown): ArtifactInfo {
  const { created_at: createdAt, archived, ...rest } = ArtifactColumns.parse(row);
  return { ...rest, createdAt, archived: archived !== 0 };
}
