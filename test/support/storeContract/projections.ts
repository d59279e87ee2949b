import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/base/json.ts';
import { BeadsmithError, errorRecord } from '../../../src/domain/core/errors.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { type Status, statuses } from '../../../src/domain/workflow/workflow.ts';
import type { JournalEntry, JournalRow, StepRow } from '../../../src/engine/ports/storePort.ts';
import type { NewStore } from './anyStore.ts';
import { createTicket, runOpened } from './samples.ts';

const error = errorRecord(new BeadsmithError('CRASH_LOOP', { what: 'it', count: 3 }));

export function projectionsContract(newStore: NewStore, runs = 40): void {
  describe('projections', () => {
    it('equal a fold over the journal after any valid transactions', async () => {
      const command = fc.record({
        choice: fc.nat(),
        pick: fc.nat(),
        value: fc.jsonValue({ maxDepth: 2 }),
        commit: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 40 }), async (commands) => {
          const temp = newStore();
          const ticket = await createTicket(temp.store);
          const model = new Model(ticket);
          let batch: JournalEntry[] = [];
          for (const [index, { choice, pick, value, commit }] of commands.entries()) {
            batch.push(model.next(choice, pick, JSON.parse(JSON.stringify(value)) as Json));
            if (!commit && index < commands.length - 1) continue;
            await temp.store.commit({ ticket: ticket.id, journal: batch });
            batch = [];
          }
          const journal = await temp.store.journal(ticket.id);
          assert.deepEqual(await temp.store.verify(ticket.id), { ok: true, length: commands.length + 1 });
          assert.deepEqual(
            journal.slice(1).map(({ entry }) => entry),
            model.written,
          );
          const folded = fold(journal);
          const runs = await temp.store.runs(ticket.id);
          assert.deepEqual(
            runs.map(({ id, state, exit, continuedSeq }) => ({ id, state, exit, continuedSeq })),
            folded.runs,
          );
          const steps = (await Promise.all(runs.map(({ id }) => temp.store.steps(id)))).flat();
          const order = (a: StepRow, b: StepRow) => (`${a.run}/${a.key}` < `${b.run}/${b.key}` ? -1 : 1);
          assert.deepEqual(steps.toSorted(order), folded.steps.toSorted(order));
          assert.equal((await temp.store.ticket(ticket.id))?.status, folded.status);
        }),
        { numRuns: runs },
      );
    });
  });
}

/** Turns any numbers into a valid entry. */
class Model {
  readonly written: JournalEntry[] = [];
  readonly #ticket: Ticket;
  readonly #open = new Map<string, Map<string, 'intent' | 'failed'>>();
  #status: Status;
  #names = 0;

  constructor(ticket: Ticket) {
    this.#ticket = ticket;
    this.#status = ticket.status;
  }

  next(choice: number, pick: number, value: Json): JournalEntry {
    const valid = this.#valid(pick, value);
    const make = valid[choice % valid.length]!;
    const entry = make();
    this.written.push(entry);
    return entry;
  }

  #valid(pick: number, value: Json): readonly (() => JournalEntry)[] {
    const status = (): JournalEntry => {
      const from = this.#status;
      this.#status = statuses[pick % statuses.length]!;
      return { kind: 'status', from, to: this.#status, by: 'test' };
    };
    const opened = (): JournalEntry => {
      const id = `run-${String(++this.#names)}`;
      this.#open.set(id, new Map());
      return runOpened(this.#ticket, id);
    };
    const runs = [...this.#open.keys()];
    if (runs.length === 0) return [opened, opened, status];
    const run = runs[pick % runs.length]!;
    const steps = this.#open.get(run)!;
    const intent = (): JournalEntry => {
      const key = `step-${String(++this.#names)}`;
      steps.set(key, 'intent');
      return { kind: 'step.intent', run, key };
    };
    const recorded = (): JournalEntry => ({
      kind: 'step.done',
      run,
      key: `step-${String(++this.#names)}`,
      result: value,
    });
    const closed = (): JournalEntry => {
      this.#open.delete(run);
      return {
        kind: 'run.closed',
        run,
        state: (['closed', 'superseded', 'archived'] as const)[pick % 3]!,
        exit: pick % 2 ? 'exit' : null,
      };
    };
    const always = [
      opened,
      status,
      intent,
      intent,
      intent,
      recorded,
      closed,
      (): JournalEntry => ({ kind: 'run.continued', run }),
    ];
    const [key, state] = [...steps][pick % Math.max(1, steps.size)] ?? [];
    if (key === undefined) return always;
    const again = (): JournalEntry => {
      steps.set(key, 'intent');
      return { kind: 'step.intent', run, key };
    };
    if (state === 'failed') return [...always, again, again];
    const done = (): JournalEntry => {
      steps.delete(key);
      return { kind: 'step.done', run, key, result: value };
    };
    const failed = (): JournalEntry => {
      steps.set(key, 'failed');
      return { kind: 'step.failed', run, key, error };
    };
    return [
      ...always,
      again,
      (): JournalEntry => ({ kind: 'step.note', run, key, note: value }),
      done,
      done,
      failed,
    ];
  }
}

type Runs = { id: string; state: string; exit: string | null; continuedSeq: number }[];

function fold(journal: readonly JournalRow[]): { runs: Runs; steps: StepRow[]; status: string } {
  const runs: Runs = [];
  const steps = new Map<string, StepRow>();
  let status = 'DRAFT';
  for (const { seq, entry } of journal) {
    if (entry.kind === 'status') status = entry.to;
    if (entry.kind === 'run.opened')
      runs.push({ id: entry.run.id, state: 'open', exit: null, continuedSeq: 0 });
    if (entry.kind === 'run.closed')
      Object.assign(
        runs.find(({ id }) => id === entry.run)!,
        { state: entry.state, exit: entry.exit },
      );
    if (entry.kind === 'run.continued') runs.find(({ id }) => id === entry.run)!.continuedSeq = seq;
    if (
      entry.kind !== 'step.intent' &&
      entry.kind !== 'step.note' &&
      entry.kind !== 'step.done' &&
      entry.kind !== 'step.failed'
    )
      continue;
    const { run, key } = entry;
    const known = steps.get(`${run}/${key}`);
    const fresh: StepRow = {
      run,
      key,
      state: 'intent',
      intentSeq: seq,
      notes: [],
      result: undefined,
      error: undefined,
      activeMs: 0,
    };
    let step = known ?? fresh;
    if (entry.kind === 'step.intent' && step.state === 'failed') step = { ...fresh, notes: step.notes };
    if (entry.kind === 'step.note') step = { ...step, notes: [...step.notes, entry.note] };
    if (entry.kind === 'step.done') step = { ...step, state: 'done', result: entry.result };
    if (entry.kind === 'step.failed') step = { ...step, state: 'failed', error: entry.error };
    steps.set(`${run}/${key}`, step);
  }
  return { runs, steps: [...steps.values()], status };
}
