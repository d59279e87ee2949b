import { parse } from 'yaml';
import * as z from 'zod';
import { CodedBead, type PastStage } from '../../domain/beads/iteration.ts';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import { CoverageReport } from '../../domain/requirements/interview.ts';
import { ErrorRecord, fromRecord } from '../../domain/core/errors.ts';
import { PromptPlan } from '../../domain/usage/promptPlan.ts';
import { PassGates } from '../../domain/settings/rows/planning.ts';
import { Depth, passesGates } from '../../domain/settings/settings.ts';
import { StatusName } from '../../domain/ticket/ticket.ts';
import { statusOf } from '../../domain/workflow/roles.ts';
import { rowOf, statuses } from '../../domain/workflow/workflow.ts';
import type {
  EarlierPlan,
  PastCall,
  PastRun,
  PlannedCall,
  Store,
  TicketSummary,
} from '../../engine/ports/storePort.ts';
import { damageIn, parseJson, Stored } from './sql/rows.ts';
import { type Database, unlimited } from './sql/database.ts';
import { readContent } from './reads.ts';

const Run: z.ZodType<Omit<PastRun, 'stages'>> = z.object({
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
  /** A plan so long that it is a file, where SQL can't read the prompt's name. */
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
  const stages = readStages(database, ticket);
  return database
    .rows(
      Run,
      `SELECT id, status, attempt, parent, state, exit, opened_seq AS "openedSeq", at AS "startedAt"
       FROM runs JOIN journal ON journal.ticket = runs.ticket AND journal.seq = opened_seq WHERE runs.ticket = ? ORDER BY opened_seq`,
      ticket,
    )
    .map((run) => ({ ...run, stages: stages.get(run.id) ?? [] }));
}

const Stage = z.object({
  run: z.string(),
  key: z.string(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  entry: Stored.nullable(),
});
const StageEntry = z.object({
  result: z
    .object({ exit: z.string(), output: z.looseObject({ interrupted: z.boolean().optional() }).optional() })
    .optional(),
  error: ErrorRecord.optional(),
});

function readStages(database: Database, ticket: string): ReadonlyMap<string, readonly PastStage[]> {
  const rows = database.all(
    `SELECT steps.run, steps.key, intent.at AS "startedAt", receipt.at AS "endedAt", receipt.entry
     FROM runs JOIN steps ON steps.run = runs.id JOIN journal AS intent ON intent.ticket = runs.ticket AND intent.seq = intent_seq
     LEFT JOIN journal AS receipt ON receipt.ticket = runs.ticket AND receipt.seq = end_seq
     WHERE runs.ticket = ? AND runs.parent IS NOT NULL AND instr(steps.key, '/') = 0 ORDER BY intent_seq`,
    ticket,
  );
  const open = readOpenSteps(database, ticket);
  const stages = new Map<string, PastStage[]>();
  for (const row of rows) {
    const { run, key, startedAt, endedAt, entry } = Stage.parse(row);
    const { result, error } = StageEntry.parse(entry === null ? {} : parseJson(database.unpack(entry)));
    const failure = error ? fromRecord(error) : undefined;
    const stage: PastStage = {
      stage: key.replace(/:\d+$/, ''),
      state: endedAt === null ? 'open' : failure ? 'failed' : 'done',
      exit: result?.exit ?? null,
      interrupted: result?.output?.interrupted ?? false,
      open: open.filter((step) => step.run === run && step.key.startsWith(`${key}/`)).map((step) => step.key),
      error: failure ? { code: failure.code, message: failure.message } : null,
      startedAt,
      endedAt,
    };
    stages.set(run, [...(stages.get(run) ?? []), stage]);
  }
  return stages;
}

const OpenSteps = z.array(z.object({ run: z.string(), key: z.string() }));

function readOpenSteps(database: Database, ticket: string): z.infer<typeof OpenSteps> {
  const rows = database.all(
    `SELECT steps.run, steps.key FROM runs JOIN steps ON steps.run = runs.id
     WHERE runs.ticket = ? AND runs.parent IS NOT NULL AND runs.state = 'open' AND steps.state = 'intent' AND instr(steps.key, '/') > 0
     ORDER BY intent_seq`,
    ticket,
  );
  return OpenSteps.parse(rows);
}

// The session's member, else the plan's model.
const callColumns = `SELECT calls.id, calls.run, calls.step, coalesce(sessions.member, calls.model) AS member, outcome, error,
  CASE typeof(plan) WHEN 'text' THEN json_extract(plan, '$.prompt') END AS prompt, CASE typeof(plan) WHEN 'blob' THEN plan END AS "longPlan",
  estimated AS "estimatedTokens", started_at AS "startedAt", ended_at AS "endedAt"`;
const fromCalls = 'FROM calls LEFT JOIN sessions ON sessions.id = calls.session WHERE calls.ticket = ?';

export function readPastCalls(database: Database, ticket: string): readonly PastCall[] {
  return database
    .all(`${callColumns} ${fromCalls} ORDER BY calls.number`, ticket)
    .map((row) => toCall(database, row));
}

const Planned = z.object({ plan: Stored, session: z.string(), directory: z.string().nullable() });

export function readPlannedCalls(
  database: Database,
  ticket: string,
  newest = unlimited,
): readonly PlannedCall[] {
  const rows = database.all(
    `${callColumns}, plan, calls.session, sessions.directory ${fromCalls} ORDER BY calls.number DESC LIMIT ?`,
    ticket,
    newest,
  );
  return rows.toReversed().flatMap((row) => {
    const { plan, session, directory } = Planned.parse(row);
    const { data } = PromptPlan.safeParse(parseJson(database.unpack(plan)));
    return data ? [{ ...toCall(database, row), plan: data, session, directory: directory ?? '' }] : [];
  });
}

const Last = z.object({ last: z.number() });

export function readLastCall(database: Database, ticket: string): number {
  return Last.parse(
    database.get('SELECT coalesce(max(number), 0) AS last FROM calls WHERE ticket = ?', ticket),
  ).last;
}

/** Older ones are in no cache. */
const searchedCalls = 300;
const readPlans = 60;
const Earlier = z.object({ run: z.string(), bead: z.string().nullable(), plan: Stored });

export function readEarlierPlans(
  database: Database,
  ticket: string,
  prompt: string,
  notRun: string,
): readonly EarlierPlan[] {
  // Only reading a packed plan shows whose prompt it is.
  const rows = database.all(
    `SELECT run, bead, plan FROM (
       SELECT calls.number, calls.run, sessions.bead, plan FROM calls LEFT JOIN sessions ON sessions.id = calls.session
       WHERE calls.ticket = ?1 AND calls.run <> ?2 ORDER BY calls.number DESC LIMIT ${searchedCalls}
     ) AS newest WHERE CASE typeof(plan) WHEN 'text' THEN json_extract(plan, '$.prompt') = ?3 ELSE TRUE END ORDER BY number DESC LIMIT ${readPlans}`,
    ticket,
    notRun,
    prompt,
  );
  return rows.toReversed().flatMap((row) => {
    const { run, bead, plan } = Earlier.parse(row);
    const { data } = PromptPlan.safeParse(parseJson(database.unpack(plan)));
    return data?.prompt === prompt ? [{ run, bead, plan: data }] : [];
  });
}

export function readPastCall(
  database: Database,
  ticket: string,
  id: string,
): Awaited<ReturnType<Store['pastCall']>> {
  const row = database.get(`${callColumns}, plan, input, output ${fromCalls} AND calls.id = ?`, ticket, id);
  if (row === undefined) return undefined;
  const { plan, input, output } = Texts.parse(row);
  return {
    ...toCall(database, row),
    plan: database.unpack(plan),
    input: database.unpack(input),
    output: database.unpack(output),
  };
}

function toCall(database: Database, row: unknown): PastCall {
  const { prompt, longPlan, ...rest } = CallColumns.parse(row);
  const long = longPlan === null ? '' : Prompt.parse(parseJson(database.unpack(longPlan))).prompt;
  return { ...rest, prompt: prompt ?? long };
}

/** A number in JSON: PostgreSQL gives its text. */
const inJson = z.number().or(z.string().transform(Number).pipe(z.number()));
const flag = inJson.nullable().transform((found) => found === 1);
interface Row extends Omit<TicketSummary, 'openGaps' | 'passesGates' | 'coding'> {
  readonly report: number | null;
  readonly depth: Depth | null;
  readonly passGates: PassGates | null;
}
const Rows: z.ZodType<readonly Row[]> = z.array(
  z.object({
    id: z.string(),
    status: StatusName,
    previousStatus: StatusName.nullable(),
    title: z.string(),
    priority: inJson,
    hold: z.string().nullable(),
    continuable: flag,
    report: z.number().nullable(),
    updatedAt: inJson,
    beadsDone: z.number(),
    beadsSkipped: z.number(),
    errorCode: z.string().nullable(),
    beadsTotal: z.number(),
    holdUntil: inJson.nullable(),
    waitsFor: z.string().nullable(),
    preparing: flag,
    merged: flag,
    published: flag,
    forgeNews: z.string().nullable(),
    checksFailed: flag,
    mergePlanned: flag,
    isLoop: flag,
    passGates: PassGates.nullable(),
    depth: Depth.nullable(),
  }),
);

/** Waits aren't started steps, only work is. */
const gates = JSON.stringify(statuses.filter((status) => rowOf(status).kind === 'gate'));

const gateReports = JSON.stringify(
  Object.fromEntries(
    statuses.flatMap((status) => {
      const { document, actions } = rowOf(status);
      return document !== undefined && 'fix_gaps' in actions ? [[status, coverageOf(document)]] : [];
    }),
  ),
);

/** Leaves out descriptions and settings: a list of ten thousand tickets needs a line each. */
const select = `SELECT id, status, body ->> 'title' AS title, body ->> 'priority' AS priority, body ->> '$.hold.kind' AS hold,
    body ->> 'updatedAt' AS "updatedAt", coalesce(body ->> '$.settings.depth', '') = 'loop' AS "isLoop", body ->> '$.settings.depth' AS depth,
    body ->> '$.settings.passGates' AS "passGates", body ->> 'previousStatus' AS "previousStatus", body ->> '$.error.continuable' AS continuable,
    (SELECT id FROM artifacts WHERE ticket = tickets.id AND archived = 0
      AND type = (SELECT value FROM json_each(?2) WHERE key = tickets.status) ORDER BY version DESC LIMIT 1) AS report,
    (SELECT count(*) FROM beads WHERE ticket = tickets.id AND beads.body ->> 'status' = 'done') AS "beadsDone",
    (SELECT count(*) FROM beads WHERE ticket = tickets.id AND beads.body ->> 'status' = 'skipped'
      AND coalesce(json_array_length(beads.body, '$.skipped.replacedBy'), 0) = 0) AS "beadsSkipped",
    body ->> '$.error.code' AS "errorCode",
    CASE status WHEN 'COMPLETED' THEN EXISTS (SELECT 1 FROM artifacts WHERE ticket = tickets.id AND type = 'merge_report' AND archived = 0
      AND CASE WHEN json_valid(content) THEN content ->> '$.before' END IS NOT NULL) ELSE FALSE END AS merged,
    CASE status WHEN 'WAITING_PR_REVIEW' THEN EXISTS (SELECT 1 FROM artifacts WHERE ticket = tickets.id AND type = 'forge_pull_request' AND archived = 0
      AND CASE WHEN json_valid(content) THEN content ->> '$.number' END IS NOT NULL) ELSE FALSE END AS published,
    CASE status WHEN 'WAITING_PR_REVIEW' THEN body ->> '$.forge.news' END AS "forgeNews",
    coalesce(json_array_length(body, '$.forge.failures'), 0) > 0 AS "checksFailed",
    coalesce(CAST(body ->> '$.forge.merging.isQueued' AS TEXT), '0') = '1' OR body ->> '$.forge.merging.auto' IS NOT NULL AS "mergePlanned",
    (SELECT count(*) FROM beads WHERE ticket = tickets.id) AS "beadsTotal",
    coalesce(body ->> '$.hold.request.until', body ->> '$.hold.until') AS "holdUntil",
    CASE body ->> '$.hold.kind' WHEN 'queue' THEN body ->> '$.hold.detail' END AS "waitsFor",
    status IN (SELECT value FROM json_each(?1)) AND EXISTS (SELECT 1 FROM runs JOIN steps ON steps.run = runs.id
      WHERE runs.ticket = tickets.id AND runs.status = tickets.status AND runs.state = 'open' AND steps.state = 'intent') AS preparing
  FROM tickets`;

const selectCoding = `SELECT ticket, beads.id AS bead, beads.body ->> 'title' AS title, position + 1 AS number, beads.body ->> 'iteration' AS iteration,
    (SELECT substr(key, 1, instr(key, ':') - 1) FROM runs JOIN steps ON steps.run = runs.id
      WHERE runs.ticket = tickets.id AND runs.parent IS NOT NULL AND runs.state = 'open' AND steps.state = 'intent' AND instr(key, '/') = 0
      ORDER BY intent_seq DESC LIMIT 1) AS stage
  FROM tickets JOIN beads ON beads.ticket = tickets.id
  WHERE tickets.status = 'CODING' AND beads.body ->> 'status' = 'in_progress'`;

/** All tickets, or these, by number. An unreadable one is there as damaged. */
export function readSummaries(database: Database, ids?: readonly string[]): readonly TicketSummary[] {
  try {
    return summariesOf(database, ids);
  } catch (error) {
    if (damageIn(error) === undefined) throw error;
    return readApart(database, idsOf(database, ids));
  }
}

/** Halves, until the damaged ones are alone: a long list isn't read ticket by ticket. */
function readApart(database: Database, known: z.infer<typeof Ids>): readonly TicketSummary[] {
  const half = known.length >> 1;
  if (half === 0) return known.map((one) => readSummary(database, one));
  return [known.slice(0, half), known.slice(half)].flatMap((part) => {
    try {
      return summariesOf(
        database,
        part.map(({ id }) => id),
      );
    } catch (error) {
      if (damageIn(error) === undefined) throw error;
      return readApart(database, part);
    }
  });
}

function summariesOf(database: Database, ids?: readonly string[]): readonly TicketSummary[] {
  const rows =
    ids === undefined
      ? database.all(`${select} ORDER BY prefix, number`, gates, gateReports)
      : database.all(
          `${select} WHERE id IN (SELECT value FROM json_each(?3)) ORDER BY prefix, number`,
          gates,
          gateReports,
          JSON.stringify(ids),
        );
  const coding = readCoding(database, ids);
  return Rows.parse(rows).map(({ report, depth, passGates, ...row }) => ({
    ...row,
    coding: coding.get(row.id) ?? null,
    openGaps: leftGaps(database, report),
    ...(passesGates({ depth: depth ?? 'full', passGates: passGates ?? 'off' }) && { passesGates: true }),
  }));
}

const Coding = z.looseObject({ ticket: z.string(), iteration: inJson });

/** The first bead in work of each ticket that is coded. */
function readCoding(database: Database, ids?: readonly string[]): ReadonlyMap<string, CodedBead> {
  const rows =
    ids === undefined
      ? database.all(`${selectCoding} ORDER BY position DESC`)
      : database.all(
          `${selectCoding} AND tickets.id IN (SELECT value FROM json_each(?)) ORDER BY position DESC`,
          JSON.stringify(ids),
        );
  return new Map(
    rows.map((row) => {
      const { ticket, ...bead } = Coding.parse(row);
      return [ticket, CodedBead.parse(bead)];
    }),
  );
}

const Ids = z.array(z.object({ id: z.string(), status: z.unknown() }));

function idsOf(database: Database, ids?: readonly string[]): z.infer<typeof Ids> {
  const rows = Ids.parse(database.all('SELECT id, status FROM tickets ORDER BY prefix, number'));
  return rows.filter(({ id }) => ids?.includes(id) ?? true);
}

function readSummary(
  database: Database,
  { id, status }: { readonly id: string; readonly status: unknown },
): TicketSummary {
  try {
    const [summary] = summariesOf(database, [id]);
    if (summary) return summary;
    throw new SyntaxError('It was there a moment ago.');
  } catch (error) {
    const damaged = damageIn(error);
    if (damaged === undefined) throw error;
    const known = StatusName.safeParse(status);
    return {
      id,
      damaged,
      title: '',
      status: known.success ? known.data : statusOf('blocked'),
      previousStatus: null,
      priority: 1,
      updatedAt: 0,
      hold: null,
      continuable: false,
      openGaps: false,
      beadsDone: 0,
      beadsTotal: 0,
      coding: null,
      holdUntil: null,
      waitsFor: null,
      preparing: false,
    };
  }
}

const Gaps = CoverageReport.pick({ open_gaps: true });
const knownReports = new WeakMap<Database, Map<number, boolean>>();

/**
 * False without a report; true for an unreadable one, so that the list isn't hidden: the gate says what is
 * wrong.
 */
function leftGaps(database: Database, report: number | null): boolean {
  if (report === null) return false;
  const known = knownReports.get(database) ?? new Map<number, boolean>();
  knownReports.set(database, known);
  const before = known.get(report);
  if (before !== undefined) return before;
  const gaps = readGaps(database, report);
  if (gaps) known.set(report, gaps.length > 0);
  return gaps?.length !== 0;
}

function readGaps(database: Database, report: number): readonly string[] | undefined {
  try {
    return Gaps.parse(parse(readContent(database, report) ?? '')).open_gaps;
  } catch {
    return undefined;
  }
}
