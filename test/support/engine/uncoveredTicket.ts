import type { Database } from '../../../src/adapters/store/sql/database.ts';
import { canonicalJson } from '../../../src/base/json.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';

/** Files a ticket as a version did whose journal covered no rows. Answers the hash of its first entry. */
export function insertUncovered(
  database: Database,
  { id, status, revision, ...body }: Ticket,
  epoch = 1,
): string {
  const [prefix = '', number = ''] = id.split('-');
  database.run(
    'INSERT INTO tickets (id, prefix, number, status, revision, body) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    prefix,
    Number(number),
    status,
    revision,
    JSON.stringify(body),
  );
  const entry = { kind: 'ticket.created' };
  const at = body.createdAt;
  const hash = sha256(canonicalJson({ seq: 1, at, epoch, entry }));
  database.run(
    `INSERT INTO journal (ticket, seq, prev_hash, hash, at, epoch, entry) VALUES (?, 1, '', ?, ?, ?, ?)`,
    id,
    hash,
    at,
    epoch,
    canonicalJson(entry),
  );
  return hash;
}
