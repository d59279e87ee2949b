import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { ReviewThread } from '../../domain/findings/reviewThread.ts';
import type { Database } from './sqlite/database.ts';
import { parseJson } from './sqlite/rows.ts';
import { positionOf } from './tickets.ts';

const Row = z.object({ revision: z.number(), body: z.string() });
const Revision = z.object({ revision: z.number() }).optional();

/** Oldest first. A thread that a newer version wrote in another shape is left out, and not changed. */
export function readThreads(database: Database, ticket: string): readonly ReviewThread[] {
  return database
    .all('SELECT revision, body FROM comments WHERE ticket = ? ORDER BY number', ticket)
    .flatMap((row) => {
      const { revision, body } = Row.parse(row);
      const thread = ReviewThread.safeParse({ ...(parseJson(body) as object), revision });
      return thread.success ? [thread.data] : [];
    });
}

/**
 * Only inside a transaction. Two windows may write: the one that writes on an older revision gets
 * EDIT_CONFLICT.
 */
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
     ON CONFLICT (id) DO UPDATE SET revision = ?3, body = ?4 WHERE ticket = ?2`,
    saved.id,
    saved.ticket,
    saved.revision,
    JSON.stringify(saved),
  );
  return saved;
}

/** Only inside a transaction. */
export function deleteThread(database: Database, ticket: string, id: string): void {
  database.run('DELETE FROM comments WHERE id = ? AND ticket = ?', id, ticket);
}
