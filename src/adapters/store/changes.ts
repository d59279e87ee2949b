import { hash } from 'node:crypto';
import * as z from 'zod';
import { assertNever } from '../../base/assertNever.ts';
import { Bead } from '../../domain/beads/bead.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { CallRow, Change, SessionRow } from '../../engine/ports/storePort.ts';
import type { Database } from './sql/database.ts';
import { putDismissal } from './chain/dismissals.ts';
import { parseJson } from './sql/rows.ts';
import { patchTicket } from './tickets.ts';

const Body = z.object({ body: z.string() });

/** Writes large texts before the transaction, so that its lock doesn't wait for files. */
export function packChanges(database: Database, changes: readonly Change[]): void {
  for (const text of changes.flatMap(contents)) database.pack(text);
}

/** Call it in a transaction, after the journal entries. */
export function applyChanges(
  database: Database,
  ticket: string,
  changes: readonly Change[],
  now: number,
): void {
  for (const change of changes) applyChange(database, ticket, change, now);
  linkUsage(database, changes);
}

function applyChange(database: Database, ticket: string, change: Change, now: number): void {
  switch (change.type) {
    case 'ticket':
      patchTicket(database, ticket, change.set, now);
      return;
    case 'artifact':
      database.run(
        `INSERT INTO artifacts (ticket, type, status, attempt, version, sha256, bytes, created_at, content)
         VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(version), 0) + 1 FROM artifacts WHERE ticket = ?1 AND type = ?2), ?5, ?6, ?7, ?8)`,
        ticket,
        change.artifact,
        change.status,
        change.attempt,
        hash('sha256', change.content),
        Buffer.byteLength(change.content),
        now,
        database.pack(change.content),
      );
      return;
    case 'artifacts.archive':
      database.run(
        `UPDATE artifacts SET archived = 1 WHERE ticket = ? AND archived = 0
         AND status IN (SELECT value FROM json_each(?)) AND type NOT IN (SELECT value FROM json_each(?))`,
        ticket,
        JSON.stringify(change.statuses),
        JSON.stringify(change.keep ?? []),
      );
      return;
    case 'beads':
      database.run('DELETE FROM beads WHERE ticket = ?', ticket);
      for (const [position, bead] of change.beads.entries())
        database.run(
          'INSERT INTO beads (ticket, id, position, body) VALUES (?, ?, ?, ?)',
          ticket,
          bead.id,
          position,
          JSON.stringify(Bead.parse(bead)),
        );
      return;
    case 'bead':
      patchBead(database, ticket, change.id, change.set);
      return;
    case 'session':
      putSession(database, ticket, change.session);
      return;
    case 'session.state':
      if (
        database.run(
          'UPDATE sessions SET state = ? WHERE id = ? AND ticket = ?',
          change.state,
          change.id,
          ticket,
        ) === 0
      )
        throw new BeadsmithError('UNEXPECTED', { reason: `there is no session ${change.id} of ${ticket}` });
      return;
    case 'call':
      putCall(database, ticket, change.call);
      return;
    case 'usage':
      bookUsage(database, ticket, change);
      return;
    case 'dismissal':
      putDismissal(database, ticket, change.finding, change.claim);
      return;
    case 'inbox': {
      const outcome = change.outcome && JSON.stringify(change.outcome);
      const changed = database.run(
        // A gate may refuse a consumed decision; no other state changes twice.
        `UPDATE inbox SET state = ?1, outcome = ?2 WHERE id = ?3 AND ticket = ?4
         AND (state = 'pending' OR (state = 'consumed' AND ?1 = 'refused'))`,
        change.state,
        outcome,
        change.id,
        ticket,
      );
      if (changed === 0) throw new BeadsmithError('STATUS_CONFLICT');
      return;
    }
    default:
      assertNever(change);
  }
}

function contents(change: Change): readonly string[] {
  if (change.type === 'artifact') return [change.content];
  if (change.type === 'call')
    return [JSON.stringify(change.call.plan), change.call.input, change.call.output];
  return [];
}

function patchBead(database: Database, ticket: string, id: string, set: Partial<Bead>): void {
  const row = database.get('SELECT body FROM beads WHERE ticket = ? AND id = ?', ticket, id);
  if (row === undefined)
    throw new BeadsmithError('UNEXPECTED', { reason: `there is no bead ${id} of ${ticket}` });
  const bead = Bead.parse({ ...Bead.parse(parseJson(Body.parse(row).body)), ...set, id });
  database.run('UPDATE beads SET body = ? WHERE ticket = ? AND id = ?', JSON.stringify(bead), ticket, id);
}

function putSession(database: Database, ticket: string, session: SessionRow): void {
  database.run(
    `INSERT INTO sessions (id, ticket, run, step, member, bead, iteration, directory, title, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET run = excluded.run, step = excluded.step, member = excluded.member, bead = excluded.bead,
       iteration = excluded.iteration, directory = excluded.directory, title = excluded.title, state = excluded.state`,
    session.id,
    ticket,
    session.run,
    session.step,
    session.member,
    session.bead,
    session.iteration,
    session.directory,
    session.title,
    session.state,
  );
}

function putCall(database: Database, ticket: string, call: CallRow): void {
  database.run(
    `INSERT INTO calls (id, ticket, run, step, session, model, estimated, plan, input, output, outcome, error, started_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, input = excluded.input, output = excluded.output, outcome = excluded.outcome,
       error = excluded.error, started_at = excluded.started_at, ended_at = excluded.ended_at`,
    call.id,
    ticket,
    call.run,
    call.step,
    call.session,
    call.plan.model,
    call.plan.tokens,
    database.pack(JSON.stringify(call.plan)),
    database.pack(call.input),
    database.pack(call.output),
    call.outcome,
    call.error,
    call.startedAt,
    call.endedAt,
  );
}

function bookUsage(
  database: Database,
  ticket: string,
  { run, call, usage }: Extract<Change, { type: 'usage' }>,
): void {
  database.run(
    `INSERT INTO usage (message_id, ticket, run, model, input, output, reasoning, cache_read, cache_write, cost, estimated, call,
       first_prompt, first_read, first_write)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (message_id) DO NOTHING`,
    usage.messageId,
    ticket,
    run,
    usage.model,
    usage.input,
    usage.output,
    usage.reasoning,
    usage.cacheRead,
    usage.cacheWrite,
    usage.cost,
    usage.estimated ? 1 : 0,
    call,
    usage.first?.prompt ?? null,
    usage.first?.cacheRead ?? null,
    usage.first?.cacheWrite ?? null,
  );
}

/**
 * Matches reported prompt sizes with estimates, in the order of a transaction's calls and usage. Only a
 * session's first call and its first request count: later ones carry history and tool results.
 */
function linkUsage(database: Database, changes: readonly Change[]): void {
  const calls = changes.filter((change) => change.type === 'call').map(({ call }) => call);
  const usages = changes.filter((change) => change.type === 'usage').map(({ usage }) => usage);
  if (calls.length !== usages.length) return;
  for (const [index, call] of calls.entries()) {
    const usage = usages[index];
    const size =
      usage && !usage.estimated
        ? (usage.first?.prompt ?? usage.input + usage.cacheRead + usage.cacheWrite)
        : 0;
    if (size === 0) continue;
    database.run(
      `UPDATE calls SET reported = ?1 WHERE id = ?2
       AND NOT EXISTS (SELECT 1 FROM calls AS earlier WHERE earlier.session = ?3 AND earlier.number < calls.number)`,
      size,
      call.id,
      call.session,
    );
  }
}
