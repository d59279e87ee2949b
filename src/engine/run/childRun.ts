import * as z from 'zod';
import { isRecord, type Json } from '../../base/json.ts';
import {
  BeadsmithError,
  errorRecord,
  isStoreError,
  passes,
  toBeadsmithError,
  fromRecord,
} from '../../domain/core/errors.ts';
import { type BeadStage, stageKey, type StageRow } from '../../domain/beads/beadStages.ts';
import type { JournalEntry } from '../ports/storePort.ts';
import { refuseAltered } from './alteredRows.ts';
import type { Run } from './run.ts';
import { RunStopped, newScope, openScope, unaskedKeys, type RunScope } from './runScope.ts';
import { IterationEnd, iterationOfKey } from '../../domain/beads/iteration.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import { interrupts } from './branches.ts';

/** Within ten minutes (docs/decisions/003-retry-continue-and-cancel.md). */
const crashLimit = 3;
const crashWindowMs = 600_000;
const Interruption = z.object({ interruptedAt: z.number() });
const OrderlyStop = z.object({ stopped: z.literal(true) });

/**
 * Runs the bead machine as a run of its own, which is one entry `key` of the parent. `result` parses `{ end:
 * 'accepted' | 'rejected', result: state }`.
 */
export async function runChild<T>(
  parent: RunScope,
  key: string,
  {
    result,
    stage,
    input,
  }: { readonly result: z.ZodType<T>; readonly stage: BeadStage; readonly input: Json },
  runOf: (scope: RunScope, prefix: string) => Run,
): Promise<T> {
  parent.control.check();
  await refuseAltered(parent.ports.store, parent.row.ticket);
  const scope = await openChild(parent, key);
  try {
    const outcome = await runStages(scope, stage, isRecord(input) ? input : {}, runOf);
    const [unasked] = unaskedKeys(scope);
    if (unasked !== undefined)
      throw new BeadsmithError('REPLAY_MISMATCH', { key: unasked, reason: 'nobody asked for it' });
    const value = result.parse(outcome);
    await parent.journal.commit([
      { kind: 'run.closed', run: scope.row.id, state: 'closed', exit: outcome.end },
      { kind: 'step.done', run: parent.row.id, key, result: value as Json },
    ]);
    return value;
  } catch (thrown) {
    if (thrown instanceof RunStopped) {
      // An orderly stop isn't a crash. Without the note it counts as one, which does no harm.
      await parent.journal.commit([{ kind: 'step.note', run: parent.row.id, key, note: { stopped: true } }]);
      throw thrown;
    }
    const error = toBeadsmithError(thrown);
    if (passes(error)) parent.interruptedByStore.add(scope.row.id);
    if (error.continuable || isStoreError(error)) throw error;
    await parent.journal.commit([
      { kind: 'run.closed', run: scope.row.id, state: 'archived', exit: null },
      { kind: 'step.failed', run: parent.row.id, key, error: errorRecord(error) },
    ]);
    throw error;
  }
}

/** A child under stages of another version is closed, and its parent superseded. */
async function openChild(parent: RunScope, key: string): Promise<RunScope> {
  const id = childId(parent, key);
  const existing = await parent.ports.store.run(id);
  if (existing && existing.handlerVersion !== parent.stages.version) {
    if (existing.state === 'open')
      await parent.journal.commit([{ kind: 'run.closed', run: id, state: 'superseded', exit: null }]);
    throw new RunStopped('superseded');
  }
  await noteInterruption(parent, key);
  if (existing) {
    await parent.journal.settle();
    // The open step continues in the same session.
    const { continuedSeq } = parent.row;
    const snapshot = { ...existing.snapshot, worktree: parent.row.snapshot.worktree };
    return openScope({ ...parent, row: { ...existing, continuedSeq, snapshot } });
  }
  const {
    state: _state,
    exit: _exit,
    continuedSeq: _continued,
    ...row
  } = { ...parent.row, id, parent: parent.row.id, handlerVersion: parent.stages.version };
  const journal: JournalEntry[] = parent.steps.has(key)
    ? []
    : [{ kind: 'step.intent', run: parent.row.id, key }];
  await parent.journal.commit([...journal, { kind: 'run.opened', run: row }]);
  return newScope({ ...parent, row: { ...row, state: 'open', exit: null, continuedSeq: 0 } }, []);
}

function childId(parent: RunScope, key: string): string {
  return `${parent.row.id}:${key}`;
}

/** An interruption uses up no iteration. */
async function noteInterruption(parent: RunScope, key: string): Promise<void> {
  const known = parent.steps.get(key);
  if (parent.interruptedByStore.delete(childId(parent, key))) return;
  if (
    !known ||
    known.intentSeq < parent.row.continuedSeq ||
    OrderlyStop.safeParse(known.notes.at(-1)).success
  )
    return;
  const now = parent.ports.clock.now();
  await parent.journal.commit([{ kind: 'step.note', run: parent.row.id, key, note: { interruptedAt: now } }]);
  const recent = known.notes.filter((note) => {
    const parsed = Interruption.safeParse(note);
    return (
      parsed.success && parsed.data.interruptedAt <= now && now - parsed.data.interruptedAt < crashWindowMs
    );
  });
  if (recent.length + 1 < crashLimit) return;
  const error = new BeadsmithError('CRASH_LOOP', { what: key, count: recent.length + 1 });
  await parent.journal.commit([{ kind: 'step.failed', run: parent.row.id, key, error: errorRecord(error) }]);
  throw error;
}

/** Ends a cycle in the table (docs/decisions/007-limits-and-caps.md). */
const longestMachine = 200;

type State = Readonly<Record<string, unknown>>;
type StageEvent = Extract<TicketEvent, { readonly type: 'stage' }>;
interface StageResult {
  readonly exit: string;
  readonly output: State;
}
/** An entry into a stage. `key`: also the prefix of its steps. */
interface Visit {
  readonly stage: string;
  readonly key: string;
  readonly row: StageRow;
}

/**
 * Runs stages from `first` to an end, each a step of the run; the state is `input` and all results.
 * STAGE_RESULT_INVALID for a result against the table, REPLAY_MISMATCH for a journaled one, and errors of
 * required stages.
 */
async function runStages(
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
      const key = stageKey(stage, number);
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

function isOn({ stages, row: run }: RunScope, stage: string, row: StageRow): boolean {
  if (row.setting === undefined) return true;
  const value =
    new Map<string, unknown>(Object.entries(run.snapshot.settings ?? {})).get(row.setting) ?? false;
  return stages.handlers[stage] !== undefined && value !== false && value !== 'off';
}

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
    // The parse gives each handler its row's input.
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

/** Strict, so that no stage changes the state behind the table's back. */
function resultSchema({ exits, output }: Pick<StageRow, 'exits' | 'output'>): z.ZodType<StageResult> {
  return z.strictObject({ exit: z.enum(Object.keys(exits)), output: output.strict() });
}
