import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { JournalEntry } from '../../engine/ports/storePort.ts';
import type { Database } from './sql/database.ts';
import { parseJson, Seqs } from './sql/rows.ts';

type StepEntry = Extract<JournalEntry, { readonly kind: `step.${string}` }>;

const State = z.object({ state: z.string(), notes: z.string() });

export function project(database: Database, ticket: string, seq: number, entry: JournalEntry): void {
  switch (entry.kind) {
    case 'run.opened':
      if (entry.run.ticket !== ticket)
        throw unexpected(`run ${entry.run.id} belongs to ${entry.run.ticket}, not to ${ticket}`);
      database.run(
        'INSERT INTO runs (id, ticket, status, attempt, parent, handler_version, state, exit, opened_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        entry.run.id,
        ticket,
        entry.run.status,
        entry.run.attempt,
        entry.run.parent,
        entry.run.handlerVersion,
        'open',
        null,
        seq,
      );
      return;
    case 'run.closed': {
      // A closed run may still be archived, with the attempt it belongs to.
      const changed = database.run(
        `UPDATE runs SET state = ?1, exit = ?2 WHERE id = ?3 AND ticket = ?4 AND (state = 'open' OR (state = 'closed' AND ?1 = 'archived'))`,
        entry.state,
        entry.exit,
        entry.run,
        ticket,
      );
      if (changed === 0) throw unexpected(`run ${entry.run} can't be closed: it isn't open`);
      return;
    }
    case 'run.continued':
      if (
        database.run(
          `UPDATE runs SET continued_seq = ? WHERE id = ? AND ticket = ? AND state = 'open'`,
          seq,
          entry.run,
          ticket,
        ) === 0
      )
        throw unexpected(`run ${entry.run} can't be continued: it isn't open`);
      return;
    case 'step.intent':
    case 'step.note':
    case 'step.done':
    case 'step.failed':
      projectStep(database, ticket, seq, entry);
      return;
    case 'status':
      // No move that did not start where the ticket was.
      if (
        database.run(
          'UPDATE tickets SET status = ? WHERE id = ? AND status = ?',
          entry.to,
          ticket,
          entry.from,
        ) === 0
      )
        throw new BeadsmithError('STATUS_CONFLICT');
      return;
    case 'ticket.created':
    case 'inbox':
    case 'attempts':
    case 'rows':
      return;
  }
}

/**
 * A step goes from intent to done or failed, once. A second intent is an attempt; one after a failure reopens
 * it with its notes. A receipt without an intent only records.
 */
function projectStep(database: Database, ticket: string, seq: number, entry: StepEntry): void {
  const row = database.get('SELECT state, notes FROM steps WHERE run = ? AND key = ?', entry.run, entry.key);
  const { state, notes } = row === undefined ? { state: 'none', notes: '[]' } : State.parse(row);
  if (state === 'none') {
    if (
      database.get(`SELECT 1 FROM runs WHERE id = ? AND ticket = ? AND state = 'open'`, entry.run, ticket) ===
      undefined
    )
      throw unexpected(`step ${entry.key} belongs to no open run`);
  } else if (state === 'done' || (state === 'failed' && entry.kind !== 'step.intent')) {
    throw new BeadsmithError('STEP_KEY_REUSED', { key: entry.key });
  }
  if (state === 'none')
    database.run(
      'INSERT INTO steps (run, key, ticket, state, intent_seq, end_seq) VALUES (?, ?, ?, ?, ?, ?)',
      entry.run,
      entry.key,
      ticket,
      stateAfter(entry),
      seq,
      ends(entry) ? seq : null,
    );
  else if (ends(entry))
    database.run(
      'UPDATE steps SET state = ?, end_seq = ? WHERE run = ? AND key = ?',
      stateAfter(entry),
      seq,
      entry.run,
      entry.key,
    );
  else if (state === 'failed')
    database.run(
      `UPDATE steps SET state = 'intent', intent_seq = ?, end_seq = NULL WHERE run = ? AND key = ?`,
      seq,
      entry.run,
      entry.key,
    );
  if (entry.kind === 'step.note')
    database.run(
      'UPDATE steps SET notes = ? WHERE run = ? AND key = ?',
      JSON.stringify([...Seqs.parse(parseJson(notes)), seq]),
      entry.run,
      entry.key,
    );
}

function ends(entry: StepEntry): boolean {
  return entry.kind === 'step.done' || entry.kind === 'step.failed';
}

function stateAfter(entry: StepEntry): 'intent' | 'done' | 'failed' {
  if (entry.kind === 'step.done') return 'done';
  return entry.kind === 'step.failed' ? 'failed' : 'intent';
}

function unexpected(reason: string): BeadsmithError {
  return new BeadsmithError('UNEXPECTED', { reason });
}
