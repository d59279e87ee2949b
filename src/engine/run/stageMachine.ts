import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import { IterationEnd, iterationOfKey } from '../../domain/beads/iteration.ts';
import { BeadsmithError, errorRecord, fromRecord, toBeadsmithError } from '../../domain/core/errors.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import type { StageRow } from '../../domain/beads/beadStages.ts';
import { interrupts } from './branches.ts';
import type { Run } from './run.ts';
import { RunStopped, type RunScope } from './runScope.ts';

/** Ends a cycle in the table, which would run forever (docs/decisions/007-limits-and-caps.md). */
const longestMachine = 200;

type State = Readonly<Record<string, unknown>>;
type StageEvent = Extract<TicketEvent, { readonly type: 'stage' }>;
interface StageResult {
  readonly exit: string;
  readonly output: State;
}
/** One entry into a stage. `key` is that of its journal entry, and in front of the keys of its steps. */
interface Visit {
  readonly stage: string;
  readonly key: string;
  readonly row: StageRow;
}

/**
 * Runs stages from `first` on until one leads to an end. Each is one step of the run's journal; the state is
 * `input` with what the stages returned on top. Throws STAGE_RESULT_INVALID for a result that isn't what the
 * table says, REPLAY_MISMATCH for a journaled one, and what a required stage throws.
 */
export async function runStages(
  scope: RunScope,
  first: string,
  input: State,
  runOf: (scope: RunScope, prefix: string) => Run,
): Promise<{ readonly end: IterationEnd; readonly result: State }> {
  const visits = new Map<string, number>();
  let state = input;
  let stage = first;
  for (let count = 1; count <= longestMachine; count++) {
    const row = scope.stages.table[stage];
    if (!row) throw new BeadsmithError('UNEXPECTED', { reason: `there is no stage "${stage}"` });
    let exit = 'skipped';
    if (isOn(scope, stage, row)) {
      const number = (visits.get(stage) ?? 0) + 1;
      visits.set(stage, number);
      const key = `${stage}:${String(number)}`;
      const result = await runStage(scope, { stage, key, row }, state, runOf(scope, `${key}/`));
      exit = result.exit;
      state = { ...state, ...result.output };
    }
    const next = row.exits[exit] ?? '';
    const end = IterationEnd.safeParse(next);
    if (end.success) return { end: end.data, result: state };
    stage = next;
  }
  throw new BeadsmithError('UNEXPECTED', {
    reason: `the iteration went through more than ${String(longestMachine)} stages`,
  });
}

/** An optional stage is on when it has a handler and the ticket's frozen settings say so. */
function isOn({ stages, row: run }: RunScope, stage: string, row: StageRow): boolean {
  if (row.setting === undefined) return true;
  const value =
    new Map<string, unknown>(Object.entries(run.snapshot.settings ?? {})).get(row.setting) ?? false;
  return stages.handlers[stage] !== undefined && value !== false && value !== 'off';
}

/**
 * Runs one stage, or takes its result from the journal. What an optional stage throws is recorded, and
 * answered with `skipped`.
 */
async function runStage(scope: RunScope, visit: Visit, state: State, run: Run): Promise<StageResult> {
  const { stage, key, row } = visit;
  const known = recorded(scope, visit);
  if (known) return known;
  const handler = scope.stages.handlers[stage];
  if (!handler) throw new BeadsmithError('UNEXPECTED', { reason: `the stage "${stage}" has no handler` });
  if (!scope.steps.has(key)) scope.journal.later([{ kind: 'step.intent', run: scope.row.id, key }]);
  const { clock } = scope.ports;
  const startedAt = clock.now();
  const tell = (ended: Partial<StageEvent>) => emit(scope, visit, { ...ended, ms: clock.now() - startedAt });
  tell({ state: 'started' });
  try {
    // The parse gives each handler exactly the input that its row declares.
    const result = checkedResult(
      row,
      await handler(run, scope.row.snapshot, row.input.parse(state) as never),
    );
    scope.journal.later([{ kind: 'step.done', run: scope.row.id, key, result: result as unknown as Json }]);
    tell({ state: 'done', exit: result.exit });
    return result;
  } catch (thrown) {
    if (scope.control.reason) throw new RunStopped(scope.control.reason);
    if (interrupts(thrown)) throw thrown;
    const error = toBeadsmithError(thrown);
    scope.journal.later([{ kind: 'step.failed', run: scope.row.id, key, error: errorRecord(error) }]);
    const skipped = row.setting !== undefined;
    tell({ state: 'failed', error: { code: error.code, message: error.message }, skipped });
    if (!skipped) throw error;
    return passedOver;
  }
}

function emit({ row: run, ports }: RunScope, { stage, row }: Visit, more: Partial<StageEvent>): void {
  const iteration = iterationOfKey(run.id.slice((run.parent?.length ?? 0) + 1));
  if (!iteration) return;
  const event = {
    type: 'stage',
    ticket: run.ticket,
    at: ports.clock.now(),
    ...iteration,
    stage,
    label: row.label,
  } as const;
  ports.events.emit({ ...event, state: 'started', exit: null, error: null, skipped: false, ms: 0, ...more });
}

const passedOver: StageResult = { exit: 'skipped', output: {} };

/**
 * Returns the journal's record of a stage that is over. Its steps are over with it, so nobody asks for them
 * again.
 */
function recorded({ steps, asked }: RunScope, { key, row }: Visit): StageResult | undefined {
  asked.add(key);
  const known = steps.get(key);
  if (known === undefined || known.state === 'intent') return undefined;
  for (const inner of steps.keys()) if (inner.startsWith(`${key}/`)) asked.add(inner);
  if (known.state === 'failed') {
    if (row.setting === undefined && known.error) throw fromRecord(known.error);
    return passedOver;
  }
  const result = resultSchema(row).safeParse(known.result);
  if (!result.success)
    throw new BeadsmithError('REPLAY_MISMATCH', { key, reason: z.prettifyError(result.error) });
  return result.data;
}

function checkedResult({ label, ...row }: StageRow, result: unknown): StageResult {
  const checked = resultSchema(row).safeParse(result);
  if (!checked.success)
    throw new BeadsmithError('STAGE_RESULT_INVALID', {
      stage: label,
      reason: z.prettifyError(checked.error),
    });
  return checked.data;
}

/** A field that the row doesn't name would change the state behind the table's back, so it is refused. */
function resultSchema({ exits, output }: Pick<StageRow, 'exits' | 'output'>): z.ZodType<StageResult> {
  return z.strictObject({ exit: z.enum(Object.keys(exits)), output: output.strict() });
}
