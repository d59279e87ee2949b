import { canonicalJson } from '../../src/base/json.ts';
import { BeadsmithError } from '../../src/domain/core/errors.ts';
import { rowOf } from '../../src/domain/workflow/workflow.ts';
import { RunJournal } from '../../src/engine/journal/runJournal.ts';
import type { Ports } from '../../src/engine/ports/ports.ts';
import type { JournalEntry, Store, Transaction } from '../../src/engine/ports/storePort.ts';
import { JournaledRun } from '../../src/engine/run/journaledRun.ts';
import type { HandlerDefinition } from '../../src/engine/run/run.ts';
import { RunControl, type RunScope, unaskedKeys, StepsAtWork } from '../../src/engine/run/runScope.ts';
import { behaviour } from '../../src/phases/index.ts';
import type { RecordedRun, RecordedTicket } from './recordedTicket.ts';

/** Today's handler of a run's status. */
function handlerOf({ row }: RecordedRun): HandlerDefinition<string> {
  return row.status === 'CANCELED' ? behaviour.prepared.cancel : behaviour.handlers[rowOf(row.status).handler];
}

/**
 * The closed runs that today's handlers would replay: those of another version are entered again instead
 * (docs/ARCHITECTURE.md §5.5).
 */
export function replayable(ticket: RecordedTicket): readonly RecordedRun[] {
  return ticket.runs.filter((run) => run.row.state === 'closed' && run.row.parent === null && run.row.handlerVersion === handlerOf(run).version);
}

/** The closed iterations of a run, of today's version of the stages. */
export function childrenOf(ticket: RecordedTicket, run: RecordedRun): readonly RecordedRun[] {
  return ticket.runs.filter(
    ({ row }) => row.parent === run.row.id && row.state === 'closed' && row.handlerVersion === behaviour.stages.version,
  );
}

/**
 * Executes today's handler over what was recorded, with ports that refuse everything. Throws REPLAY_MISMATCH
 * when it wants anything from the world, leaves a recorded key unasked, can't read a result, or ends
 * otherwise than it did. `again`: iterations aren't taken from their one entry in the parent but gone through
 * once more, stage by stage, from the steps of their stages; they have to write the very entries that were
 * recorded.
 */
export async function replayRun(ticket: RecordedTicket, run: RecordedRun, again: readonly RecordedRun[] = []): Promise<void> {
  const redone = new Set(again.map(({ row }) => row.id));
  const ports = new RefusingPorts(ticket, again);
  const scope: RunScope = {
    row: run.row,
    ports: ports.ports,
    control: new RunControl(),
    left: { hold: false },
    aside: { leave: () => undefined, back: () => Promise.resolve() },
    waits: new Map(),
    atWork: new StepsAtWork(),
    interruptedByStore: new Set(),
    stages: behaviour.stages,
    journal: new RunJournal(ports.ports.store, run.row.ticket),
    steps: new Map(run.steps.filter(({ key }) => !redone.has(`${run.row.id}:${key}`)).map((step) => [step.key, step])),
    asked: new Set(),
  };
  const { exit } = await handlerOf(run).run(new JournaledRun(scope), run.row.snapshot);
  const [unasked] = unaskedKeys(scope);
  if (unasked !== undefined) throw mismatch(unasked, 'nobody asks for it any more');
  if (ports.refused.length > 0) throw mismatch(ports.refused.join(', '), 'it was wanted, and the refusal was passed over');
  if (exit !== run.row.exit) throw mismatch(run.row.id, `it ended with "${String(run.row.exit)}" and ends with "${exit}" now`);
  const missing = again.find(({ row }) => !ports.closed.has(row.id));
  if (missing) throw mismatch(missing.row.id, 'this iteration was not gone through');
}

/**
 * Lets a replay be told of, and nothing else be done. For iterations that are gone through again, reads what
 * was recorded of them.
 */
class RefusingPorts {
  readonly refused: string[] = [];
  readonly closed = new Set<string>();
  readonly ports: Ports;
  readonly #ticket: RecordedTicket;
  readonly #again: readonly RecordedRun[];
  /** What was written of stages so far. */
  readonly #stages: JournalEntry[] = [];

  constructor(ticket: RecordedTicket, again: readonly RecordedRun[]) {
    this.#ticket = ticket;
    this.#again = again;
    this.ports = {
      store: this.#only<Store>('store', {
        run: (id) => Promise.resolve(this.#child(id).row),
        // What stages answered is worked out once more.
        steps: (id) => Promise.resolve(this.#child(id).steps.filter(({ key }) => !isStage(key))),
        altered: () => Promise.resolve([]),
        commit: (transaction) => this.#commit(transaction),
      }),
      clock: this.#only<Ports['clock']>('clock', { now: () => 0 }),
      events: {
        emit: (event) => {
          if (event.type !== 'stage' && (event.type !== 'step' || event.state !== 'replayed')) this.#refuse(`the event ${event.type}`);
        },
      },
      agent: this.#only('agent', {}),
      git: this.#only('git', {}),
      process: this.#only('process', {}),
      workplace: this.#only('workplace', {}),
      secrets: this.#only('secrets', {}),
      signer: this.#only('signer', {}),
      files: this.#only('files', {}),
      forge: this.#only('forge', {}),
      forges: this.#only('forges', {}),
      tokens: this.#only('tokens', {}),
      texts: this.#only('texts', {}),
      prompts: this.#only('prompts', {}),
    };
  }

  /** A port with these methods; any other is refused as soon as it is accessed. */
  #only<P extends object>(name: string, known: Partial<P>): P {
    return new Proxy<P>(known as P, {
      get: (target, method, receiver): unknown =>
        Object.hasOwn(target, method) ? Reflect.get(target, method, receiver) : this.#refuse(`${name}.${String(method)}`),
    });
  }

  #refuse(what: string): never {
    this.refused.push(what);
    throw mismatch(what, 'the handler asks for something that was not recorded');
  }

  #child(id: string): RecordedRun {
    return this.#again.find(({ row }) => row.id === id) ?? this.#refuse(`the run ${id}`);
  }

  /**
   * An iteration may only end as it did: with what was recorded of its stages, and then with the entries that
   * were recorded, side by side. A stage that may fail by itself says before that it begins.
   */
  #commit({ journal }: Transaction): Promise<{ seq: number; revision: number }> {
    const stages = journal.filter((entry) => 'key' in entry && isStage(entry.key));
    this.#stages.push(...stages);
    const closing = journal.slice(stages.length);
    const [first] = closing;
    if (first === undefined) return Promise.resolve({ seq: 0, revision: 0 });
    const child = first.kind === 'run.closed' ? this.#child(first.run) : this.#refuse('store.commit');
    const { id } = child.row;
    this.#compareStages(
      child,
      this.#stages.filter((entry) => 'run' in entry && entry.run === id),
    );
    const at = this.#ticket.journal.findIndex(({ entry }) => entry.kind === 'run.closed' && entry.run === id);
    const recorded = this.#ticket.journal.slice(at, at + closing.length).map(({ entry }) => entry);
    if (canonicalJson(recorded) !== canonicalJson(closing)) throw mismatch(id, `it ends with ${canonicalJson(closing).slice(0, 500)} now`);
    this.closed.add(id);
    return Promise.resolve({ seq: at, revision: 0 });
  }

  #compareStages({ row, steps }: RecordedRun, entries: readonly JournalEntry[]): void {
    const recorded = steps.filter(({ key }) => isStage(key)).map(({ key, result, error }) => ({ key, ...(error ? { error } : { result }) }));
    const now = entries.flatMap((entry): readonly object[] => {
      if (entry.kind === 'step.done') return [{ key: entry.key, result: entry.result }];
      return entry.kind === 'step.failed' ? [{ key: entry.key, error: entry.error }] : [];
    });
    if (canonicalJson(recorded) !== canonicalJson(now)) throw mismatch(row.id, `its stages are ${canonicalJson(now).slice(0, 500)} now`);
  }
}

/** Whether a key of an iteration is that of a stage; those of its steps come after a slash. */
function isStage(key: string): boolean {
  return /^\w+:\d+$/.test(key);
}

function mismatch(key: string, reason: string): BeadsmithError {
  return new BeadsmithError('REPLAY_MISMATCH', { key, reason });
}
