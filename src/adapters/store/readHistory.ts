import * as z from 'zod';
import { StatusName } from '../../domain/ticket.ts';
import type { PastCall, PastRun, Store } from '../../engine/ports/storePort.ts';
import type { Database } from './database.ts';
import { parseJson, Stored } from './rows.ts';

const Run: z.ZodType<PastRun> = z.object({
  id: z.string(),
  status: StatusName,
  attempt: z.number(),
  parent: z.string().nullable(),
  state: z.enum(['open', 'closed', 'superseded', 'archived']),
  exit: z.string().nullable(),
  openedSeq: z.number(),
  startedAt: z.number(),
});
const CallColumns = z.object({
  id: z.string(),
  run: z.string(),
  step: z.string(),
  member: z.string(),
  prompt: z.string().nullable(),
  /** The plan, if it is so long that it is a file and the database can't read the prompt's name. */
  longPlan: Stored.nullable(),
  outcome: z.enum(['accepted', 'rejected', 'failed']),
  error: z.string(),
  estimatedTokens: z.number(),
  startedAt: z.number(),
  endedAt: z.number(),
});
const Texts = z.object({ plan: Stored, input: Stored, output: Stored });
const Prompt = z.object({ prompt: z.string() });

export function readPastRuns(database: Database, ticket: string): readonly PastRun[] {
  return database
    .all(
      `SELECT id, status, attempt, parent, state, exit, opened_seq AS openedSeq, at AS startedAt
       FROM runs JOIN journal ON journal.ticket = runs.ticket AND journal.seq = opened_seq WHERE runs.ticket = ? ORDER BY opened_seq`,
      ticket,
    )
    .map((row) => Run.parse(row));
}

// A session is found by its own id; a call whose session isn't known any more was asked of the plan's model.
const callColumns = `SELECT calls.id, calls.run, calls.step, ifnull(sessions.member, calls.model) AS member, outcome, error,
  CASE typeof(plan) WHEN 'text' THEN json_extract(plan, '$.prompt') END AS prompt, CASE typeof(plan) WHEN 'blob' THEN plan END AS longPlan,
  estimated AS estimatedTokens, started_at AS startedAt, ended_at AS endedAt`;
const fromCalls = 'FROM calls LEFT JOIN sessions ON sessions.id = calls.session WHERE calls.ticket = ?';

export function readPastCalls(database: Database, ticket: string): readonly PastCall[] {
  return database.all(`${callColumns} ${fromCalls} ORDER BY calls.number`, ticket).map((row) => toCall(database, row));
}

export function readPastCall(database: Database, ticket: string, id: string): Awaited<ReturnType<Store['pastCall']>> {
  const row = database.get(`${callColumns}, plan, input, output ${fromCalls} AND calls.id = ?`, ticket, id);
  if (row === undefined) return undefined;
  const { plan, input, output } = Texts.parse(row);
  return { ...toCall(database, row), plan: database.unpack(plan), input: database.unpack(input), output: database.unpack(output) };
}

function toCall(database: Database, row: unknown): PastCall {
  const { prompt, longPlan, ...rest } = CallColumns.parse(row);
  const long = longPlan === null ? '' : Prompt.parse(parseJson(database.unpack(longPlan))).prompt;
  return { ...rest, prompt: prompt ?? long };
}
