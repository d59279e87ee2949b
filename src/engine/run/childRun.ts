import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import { BeadsmithError, errorRecord, toBeadsmithError } from '../../domain/errors.ts';
import { beadStages, type BeadStage, type StageEnd } from '../../domain/workflow/beadStages.ts';
import type { JournalEntry } from '../ports/storePort.ts';
import type { Run } from './run.ts';
import { RunStopped, newScope, openScope, type RunScope, unaskedKeys } from './runScope.ts';

/** How many interruptions of one iteration within ten minutes block the ticket (docs/decisions/003-retry-continue-and-cancel.md). */
const crashLimit = 3;
const crashWindowMs = 600_000;
/** A bound on stages, so that a cycle in the table can't run forever (docs/decisions/007-limits-and-caps.md). */
const longestMachine = 200;

const Interruption = z.object({ interruptedAt: z.number() });
const OrderlyStop = z.object({ stopped: z.literal(true) });

/**
 * Runs the bead machine from `stage` on as a run of its own; for the parent it is the one entry `key`. Its result is
 * `{ end: 'accepted' | 'rejected', result }` with what the last stage left.
 */
export async function runChild(
  parent: RunScope,
  key: string,
  stage: BeadStage,
  input: Json,
  runOf: (scope: RunScope, prefix: string) => Run,
): Promise<{ readonly end: StageEnd; readonly result: Json }> {
  parent.control.check();
  await noteInterruption(parent, key);
  const scope = await openChild(parent, key);
  try {
    const outcome = await runStages(scope, stage, input, runOf);
    const closed: JournalEntry = { kind: 'run.closed', run: scope.row.id, state: 'closed', exit: outcome.end };
    await parent.journal.commit([closed, { kind: 'step.done', run: parent.row.id, key, result: { ...outcome } }]);
    return outcome;
  } catch (thrown) {
    if (thrown instanceof RunStopped) {
      // An orderly stop isn't a crash. If the process dies before the note is stored, it counts as one, which does no harm.
      await parent.journal.commit([{ kind: 'step.note', run: parent.row.id, key, note: { stopped: true } }]);
      throw thrown;
    }
    const error = toBeadsmithError(thrown);
    if (error.code === 'DISK_FULL') parent.spared.add(scope.row.id);
    if (error.continuable || error.code === 'EPOCH_LOST' || error.code === 'DISK_FULL') throw error;
    const closed: JournalEntry = { kind: 'run.closed', run: scope.row.id, state: 'archived', exit: null };
    await parent.journal.commit([closed, { kind: 'step.failed', run: parent.row.id, key, error: errorRecord(error) }]);
    throw error;
  }
}

async function runStages(
  scope: RunScope,
  first: BeadStage,
  input: Json,
  runOf: (scope: RunScope, prefix: string) => Run,
): Promise<{ end: StageEnd; result: Json }> {
  let stage = first;
  let before: Json = null;
  for (let count = 1; count <= longestMachine; count++) {
    const row = beadStages[stage];
    const handler = scope.stages[stage];
    let exit = 'skipped';
    if (handler) {
      const outcome = await handler(runOf(scope, `${String(count)}.${stage}/`), scope.row.snapshot, input, before);
      exit = outcome.exit;
      before = outcome.result;
    }
    const next = new Map<string, BeadStage | StageEnd>(Object.entries(row.exits)).get(exit);
    if (next === undefined) throw new BeadsmithError('UNEXPECTED', { reason: `stage ${stage} has no exit "${exit}"` });
    if (next === 'accepted' || next === 'rejected') {
      const [unasked] = unaskedKeys(scope);
      if (unasked !== undefined) throw new BeadsmithError('REPLAY_MISMATCH', { key: unasked, reason: 'nobody asked for it' });
      return { end: next, result: before };
    }
    stage = next;
  }
  throw new BeadsmithError('UNEXPECTED', { reason: `the iteration went through more than ${String(longestMachine)} stages` });
}

async function openChild(parent: RunScope, key: string): Promise<RunScope> {
  const id = childId(parent, key);
  const existing = await parent.ports.store.run(id);
  if (existing) {
    await parent.journal.settle();
    // If the parent is continued, so is the child: its open step goes on in the same session.
    return openScope({ ...parent, row: { ...existing, continuedSeq: parent.row.continuedSeq } });
  }
  const {
    state: _state,
    exit: _exit,
    continuedSeq: _continued,
    ...row
  } = { ...parent.row, id, parent: parent.row.id, handlerVersion: parent.stages.version };
  const journal: JournalEntry[] = parent.steps.has(key) ? [] : [{ kind: 'step.intent', run: parent.row.id, key }];
  await parent.journal.commit([...journal, { kind: 'run.opened', run: row }]);
  return newScope({ ...parent, row: { ...row, state: 'open', exit: null, continuedSeq: 0 } }, []);
}

function childId(parent: RunScope, key: string): string {
  return `${parent.row.id}:${key}`;
}

/** A child whose intent is already stored was interrupted. That uses up no iteration, but the third time in ten minutes is an error. */
async function noteInterruption(parent: RunScope, key: string): Promise<void> {
  const known = parent.steps.get(key);
  if (parent.spared.delete(childId(parent, key))) return;
  if (!known || known.intentSeq < parent.row.continuedSeq || OrderlyStop.safeParse(known.notes.at(-1)).success) return;
  const now = parent.ports.clock.now();
  await parent.journal.commit([{ kind: 'step.note', run: parent.row.id, key, note: { interruptedAt: now } }]);
  const recent = known.notes.filter((note) => {
    const parsed = Interruption.safeParse(note);
    return parsed.success && now - parsed.data.interruptedAt < crashWindowMs;
  });
  if (recent.length + 1 < crashLimit) return;
  const error = new BeadsmithError('CRASH_LOOP', { what: key, count: recent.length + 1 });
  await parent.journal.commit([{ kind: 'step.failed', run: parent.row.id, key, error: errorRecord(error) }]);
  throw error;
}
