import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { MovedTicket } from '../../engine/ports/storePort.ts';
import { CoveredRows } from './chain/covered.ts';
import { tipOf, verifyJournal } from './chain/journal.ts';
import type { Database, SqlValue } from './sql/database.ts';
import { positionOf } from './tickets.ts';

interface MovedTable {
  readonly name: string;
  readonly order: string;
  /** Columns that each database numbers itself. */
  readonly numbered?: string;
  /** Columns with texts that `Database.pack` may keep apart. */
  readonly packed?: readonly string[];
}

/** The tables with rows of a ticket, in the order in which the rows refer to each other. */
const tables: readonly MovedTable[] = [
  { name: 'tickets', order: 'id' },
  { name: 'journal', order: 'seq', packed: ['entry', 'covers'] },
  { name: 'runs', order: 'opened_seq' },
  { name: 'steps', order: 'intent_seq' },
  { name: 'inbox', order: 'number', numbered: 'number', packed: ['body'] },
  { name: 'artifacts', order: 'id', numbered: 'id', packed: ['content'] },
  { name: 'beads', order: 'position' },
  { name: 'sessions', order: 'number', numbered: 'number' },
  { name: 'calls', order: 'number', numbered: 'number', packed: ['plan', 'input', 'output'] },
  { name: 'usage', order: 'rowid', numbered: 'rowid' },
  { name: 'comments', order: 'number', numbered: 'number' },
  { name: 'dismissals', order: 'number', numbered: 'number' },
];

const Value = z.union([z.string(), z.number(), z.null(), z.instanceof(Uint8Array)]);
const Row = z.record(z.string(), Value);
const Pending = z.object({ pending: z.number() });
const column = /^[a-z][a-z0-9_]*$/;

/**
 * Everything of a ticket. Throws TICKET_UNKNOWN, and TICKET_BUSY while it has entries that nobody has taken.
 */
export function takeOut(database: Database, ticket: string): MovedTicket {
  positionOf(database, ticket);
  const { pending } = Pending.parse(
    database.get(`SELECT count(*) AS pending FROM inbox WHERE ticket = ? AND state = 'pending'`, ticket),
  );
  if (pending > 0) throw new BeadsmithError('TICKET_BUSY', { ticket });
  const rows = tables.map(({ name, order, numbered, packed = [] }) => {
    const of = name === 'tickets' ? 'id' : 'ticket';
    const found = database.rows(Row, `SELECT * FROM ${name} WHERE ${of} = ? ORDER BY ${order}`, ticket);
    const plain = found.map((row) =>
      Object.entries(row).flatMap(([key, value]): readonly (readonly [string, string | number | null])[] => {
        if (key === numbered) return [];
        if (packed.includes(key) && value !== null) return [[key, database.unpack(asStored(value))]];
        return [[key, value instanceof Uint8Array ? '' : value]];
      }),
    );
    return [name, plain.map((row) => Object.fromEntries(row))] as const;
  });
  return { ticket, tip: tipOf(database, ticket).hash, rows: Object.fromEntries(rows) };
}

/** Keeps large texts before the transaction, so that its lock doesn't wait for files. */
export function packMoved(database: Database, { rows }: MovedTicket): void {
  for (const { name, packed = [] } of tables)
    for (const row of rows[name] ?? [])
      for (const key of packed) if (typeof row[key] === 'string') database.pack(row[key]);
}

/**
 * Adds a ticket of another database, whose chain must be whole and say what the rows say. One that is there
 * already with the same journal stays. Throws TICKET_TAKEN, JOURNAL_BROKEN, ROWS_ALTERED.
 */
export function putIn(database: Database, { ticket, tip, rows }: MovedTicket): void {
  const there = database.get('SELECT id FROM tickets WHERE id = ?', ticket);
  if (there !== undefined) {
    if (tipOf(database, ticket).hash === tip) return;
    throw new BeadsmithError('TICKET_TAKEN', { ticket });
  }
  for (const { name, packed = [] } of tables)
    for (const row of rows[name] ?? []) insert(database, { name, packed }, row);
  const verdict = verifyJournal(database, ticket);
  if (!verdict.ok) throw new BeadsmithError('JOURNAL_BROKEN', { ticket, seq: verdict.seq });
  const altered = new CoveredRows(database).altered(ticket);
  if (altered.length > 0)
    throw new BeadsmithError('ROWS_ALTERED', {
      ticket,
      rows: altered.map((one) => ('row' in one ? one.row : `journal ${one.brokenAt}`)).join(', '),
    });
}

/**
 * Removes a ticket that another database has now, if it is there. STATUS_CONFLICT if it has changed since.
 */
export function removeMoved(database: Database, { ticket, tip }: Pick<MovedTicket, 'ticket' | 'tip'>): void {
  const { seq, hash } = tipOf(database, ticket);
  if (seq === 0) return;
  if (hash !== tip) throw new BeadsmithError('STATUS_CONFLICT');
  for (const { name } of tables.toReversed())
    database.run(`DELETE FROM ${name} WHERE ${name === 'tickets' ? 'id' : 'ticket'} = ?`, ticket);
}

function insert(
  database: Database,
  { name, packed }: { readonly name: string; readonly packed: readonly string[] },
  row: Readonly<Record<string, string | number | null>>,
): void {
  const columns = Object.keys(row);
  const wrong = columns.find((one) => !column.test(one));
  if (wrong !== undefined) throw new BeadsmithError('UNEXPECTED', { reason: `there is no column ${wrong}` });
  const values = columns.map((one): SqlValue => {
    const value = row[one] ?? null;
    return packed.includes(one) && value !== null ? database.pack(String(value)) : value;
  });
  database.run(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...values,
  );
}

function asStored(value: string | number | Uint8Array): string | Uint8Array {
  return typeof value === 'number' ? String(value) : value;
}
