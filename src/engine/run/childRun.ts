import * as z from 'zod';
import { isRecord, type Json } from '../../base/json.ts';
import {
  BeadsmithError,
  errorRecord,
  isStoreError,
  passes,
  toBeadsmithError,
} from '../../domain/core/errors.ts';
import type { BeadStage } from '../../domain/beads/beadStages.ts';
import type { JournalEntry } from '../ports/storePort.ts';
import { refuseAltered } from './alteredRows.ts';
import type { Run } from './run.ts';
import { RunStopped, newScope, openScope, type RunScope, unaskedKeys } from './runScope.ts';
import { runStages } from './stageMachine.ts';

/**
 * Number of interruptions of one iteration within ten minutes that block the ticket
 * (docs/decisions/003-retry-continue-and-cancel.md).
 */
const crashLimit = 3;
const crashWindowMs = 600_000;
const Interruption = z.object({ interruptedAt: z.number() });
const OrderlyStop = z.object({ stopped: z.literal(true) });

/**
 * Runs the bead machine from `stage` on, with the state `input`, as a run of its own; for the parent it is
 * the one entry `key`. What is kept of `{ end: 'accepted' | 'rejected', result: state }` is what the schema
 * `result` names.
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
      // An orderly stop isn't a crash. If the process dies before the note is stored, it counts as one, which
      // does no harm.
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

/**
 * The child as the journal has it, or a new one. One that was started under stages of another version can't
 * continue under these: it is closed, and the parent is stopped to be superseded.
 */
async function openChild(parent: RunScope, key: string): Promise<RunScope> {
  const id = childId(parent, key);
  const existing = await parent.ports.store.run(id);
  if (existing && existing.handlerVersion !== parent.stages.version) {
    // After a crash in between it is closed already.
    if (existing.state === 'open')
      await parent.journal.commit([{ kind: 'run.closed', run: id, state: 'superseded', exit: null }]);
    throw new RunStopped('superseded');
  }
  await noteInterruption(parent, key);
  if (existing) {
    await parent.journal.settle();
    // If the parent is continued, so is the child: its open step continues in the same session.
    return openScope({ ...parent, row: { ...existing, continuedSeq: parent.row.continuedSeq } });
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

/**
 * A child whose intent is already stored was interrupted. That uses up no iteration, but the third time in
 * ten minutes is an error.
 */
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
    // One that seems to be still to come is from before the clock was set back.
    return (
      parsed.success && parsed.data.interruptedAt <= now && now - parsed.data.interruptedAt < crashWindowMs
    );
  });
  if (recent.length + 1 < crashLimit) return;
  const error = new BeadsmithError('CRASH_LOOP', { what: key, count: recent.length + 1 });
  await parent.journal.commit([{ kind: 'step.failed', run: parent.row.id, key, error: errorRecord(error) }]);
  throw error;
}
