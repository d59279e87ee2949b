import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { Ticket } from '../../domain/ticket/ticket.ts';
import { statusOf } from '../../domain/workflow/roles.ts';
import type { Change, Store } from '../../engine/ports/storePort.ts';
import { coversOfNew } from './chain/covered.ts';
import { damageIn, readingTicket, parseJson, TicketBody, TicketColumns } from './sql/rows.ts';
import { type Database, unlimited } from './sql/database.ts';
import { append, toEntry } from './chain/journal.ts';
import { ReviewThread } from '../../domain/findings/reviewThread.ts';

type TicketSet = Extract<Change, { readonly type: 'ticket' }>['set'];

const columns = 'id, status, revision, body';
const Highest = z.object({ number: z.number().nullable() });
const Position = z.object({ status: z.string(), revision: z.number() });

export function readTicket(database: Database, id: string): Ticket | undefined {
  const row = database.get(`SELECT ${columns} FROM tickets WHERE id = ?`, id);
  return row === undefined ? undefined : readingTicket(id, () => toTicket(row));
}

export function readTickets(database: Database): readonly Ticket[] {
  return database.all(`SELECT ${columns} FROM tickets ORDER BY prefix, number`).flatMap((row) => {
    try {
      return [toTicket(row)];
    } catch (error) {
      if (damageIn(error) === undefined) throw error;
      return [];
    }
  });
}

const IdColumn = z.object({ id: z.string() });

export function readActive(database: Database): readonly string[] {
  const unread = `EXISTS (SELECT 1 FROM inbox WHERE inbox.ticket = tickets.id AND inbox.state = 'pending')`;
  const undoing = `EXISTS (SELECT 1 FROM inbox WHERE inbox.ticket = tickets.id AND inbox.state = 'pending' AND inbox.kind = 'undo_merge')`;
  // Its process was killed in the middle of the start.
  const begun = `EXISTS (SELECT 1 FROM runs JOIN steps ON steps.run = runs.id WHERE runs.ticket = tickets.id AND runs.state = 'open' AND steps.key = 'start')`;
  return database
    .rows(
      IdColumn,
      `SELECT id FROM tickets WHERE CASE status WHEN 'COMPLETED' THEN ${undoing} WHEN 'DRAFT' THEN ${unread} OR ${begun} ELSE status <> 'CANCELED' END ORDER BY prefix, number`,
    )
    .map(({ id }) => id);
}

export function readCompleted(database: Database, newest = unlimited): readonly string[] {
  return database
    .rows(
      IdColumn,
      `SELECT id FROM tickets WHERE status = ? ORDER BY length(body ->> 'updatedAt') DESC, body ->> 'updatedAt' DESC, number DESC LIMIT ?`,
      statusOf('completed'),
      newest,
    )
    .map(({ id }) => id);
}

/** Status and revision, without the cost of the rest. */
export function positionOf(
  database: Database,
  id: string,
): { readonly status: string; readonly revision: number } {
  const row = database.get('SELECT status, revision FROM tickets WHERE id = ?', id);
  if (row === undefined) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: id });
  return Position.parse(row);
}

export function raiseRevision(database: Database, id: string): void {
  database.run('UPDATE tickets SET revision = revision + 1 WHERE id = ?', id);
}

const Keyed = z.object({ key: z.string(), id: z.string() });

export function readTicketsOfKeys(
  database: Database,
  keys: readonly string[],
): Readonly<Record<string, string>> {
  const rows = database.all(
    'SELECT idempotency_key AS key, id FROM tickets WHERE idempotency_key IN (SELECT value FROM json_each(?))',
    JSON.stringify(keys),
  );
  return Object.fromEntries(rows.map((row) => Keyed.parse(row)).map(({ key, id }) => [key, id]));
}

/** Call it in a transaction. */
export function insertTicket(
  database: Database,
  input: Parameters<Store['createTicket']>[0],
  stamp: { readonly at: number; readonly epoch: number },
): Ticket {
  const existing =
    input.key === undefined
      ? undefined
      : database.get(`SELECT ${columns} FROM tickets WHERE idempotency_key = ?`, input.key);
  if (existing !== undefined) return toTicket(existing);
  const highest = Highest.parse(
    database.get('SELECT max(number) AS number FROM tickets WHERE prefix = ?', input.prefix),
  );
  const number = Math.max((highest.number ?? 0) + 1, input.atLeast);
  const made = Ticket.safeParse({
    id: `${input.prefix}-${number}`,
    title: input.title,
    description: input.description,
    priority: input.priority,
    status: 'DRAFT',
    previousStatus: null,
    revision: 0,
    attempts: {},
    settings: null,
    limits: null,
    baseBranch: null,
    baseCommit: null,
    branch: null,
    worktree: null,
    entry: { by: 'created', body: null },
    hold: null,
    error: null,
    createdAt: stamp.at,
    updatedAt: stamp.at,
    startedAt: null,
    ...(input.origin ? { origin: input.origin } : {}),
  });
  if (!made.success)
    throw new BeadsmithError('INVALID_INPUT', { what: 'The ticket', reason: z.prettifyError(made.error) });
  const ticket = made.data;
  const { id, status, revision, ...body } = ticket;
  database.run(
    'INSERT INTO tickets (id, prefix, number, idempotency_key, status, revision, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    input.prefix,
    number,
    input.key ?? null,
    status,
    revision,
    JSON.stringify(body),
  );
  append(
    database,
    { seq: 0, hash: '' },
    { ticket: id, ...stamp },
    toEntry(database, { kind: 'ticket.created' }),
    coversOfNew(database, id),
  );
  return ticket;
}

/** Sets a status only as a `status` entry of the transaction did: only the journal moves. */
export function patchTicket(database: Database, id: string, set: TicketSet, now: number): void {
  const { status, ...patch } = set;
  const { status: present } = positionOf(database, id);
  if (status !== undefined && status !== present)
    throw new BeadsmithError('UNEXPECTED', {
      reason: `${id} is in ${present}; no journal entry moves it to ${status}`,
    });
  const ticket = readTicket(database, id);
  const body = TicketBody.parse({ ...ticket, ...patch, updatedAt: now });
  database.run('UPDATE tickets SET body = ? WHERE id = ?', JSON.stringify(body), id);
}

function toTicket(row: unknown): Ticket {
  const { body, ...rest } = TicketColumns.parse(row);
  return { ...TicketBody.parse(parseJson(body)), ...rest };
}

const Row = z.object({ revision: z.number(), body: z.string() });
const Revision = z.object({ revision: z.number() }).optional();

/** Oldest first, without damaged ones and those of newer versions. */
export function readThreads(database: Database, ticket: string): readonly ReviewThread[] {
  return database
    .all('SELECT revision, body FROM comments WHERE ticket = ? ORDER BY number', ticket)
    .flatMap((row) => {
      try {
        const { revision, body } = Row.parse(row);
        return [ReviewThread.parse({ ...(parseJson(body) as object), revision })];
      } catch (error) {
        if (damageIn(error) === undefined) throw error;
        return [];
      }
    });
}

/** Call it in a transaction. An older revision gets EDIT_CONFLICT. */
export function writeThread(database: Database, thread: ReviewThread): ReviewThread {
  positionOf(database, thread.ticket);
  const stored = Revision.parse(
    database.get('SELECT revision FROM comments WHERE id = ? AND ticket = ?', thread.id, thread.ticket),
  );
  if ((stored?.revision ?? 0) !== thread.revision)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: 'The comment' });
  const saved = { ...thread, revision: thread.revision + 1 };
  database.run(
    `INSERT INTO comments (id, ticket, revision, body) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (id) DO UPDATE SET revision = ?3, body = ?4 WHERE comments.ticket = ?2`,
    saved.id,
    saved.ticket,
    saved.revision,
    JSON.stringify(saved),
  );
  return saved;
}

/** Call it in a transaction. */
export function deleteThread(database: Database, ticket: string, id: string): void {
  database.run('DELETE FROM comments WHERE id = ? AND ticket = ?', id, ticket);
}
