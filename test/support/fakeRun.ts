import * as z from 'zod';
import type { Json } from '../../src/base/json.ts';
import type { Settled } from '../../src/base/result.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { BeadsmithError, errorRecord, type ErrorRecord, fromRecord, toBeadsmithError } from '../../src/domain/errors.ts';
import { inboxBodies, type InboxEntry, type InboxKind } from '../../src/domain/inbox.ts';
import { Limits } from '../../src/domain/settings.ts';
import type { Ports } from '../../src/engine/ports/ports.ts';
import type { RecordIo, Run, StepIo, StepLimits } from '../../src/engine/run/run.ts';
import { RunControl, RunStopped } from '../../src/engine/run/runScope.ts';
import type { Change } from '../../src/engine/ports/storePort.ts';
import type { FakeStore } from './fakeStore.ts';

/** Thrown when a handler waits for an entry that isn't there yet. */
export class Parked extends Error {
  readonly kinds: readonly InboxKind[];
  constructor(kinds: readonly InboxKind[]) {
    super(`The run waits for ${kinds.join(', ')}`);
    this.kinds = kinds;
  }
}

/** Thrown by a step that a test cuts off, as a killed process would be: nothing after it is recorded. */
export class Killed extends Error {}

interface Step {
  notes: Json[];
  done?: { readonly result: Json };
  failed?: ErrorRecord;
}

/** What outlives an execution of a handler. */
export class FakeJournal {
  readonly steps = new Map<string, Step>();
  readonly runId: string;
  continued = false;
  constructor(runId = 'run-1') {
    this.runId = runId;
  }
}

const keptOnFailure: readonly Change['type'][] = ['call', 'usage', 'session', 'session.state'];

/**
 * A run in memory that behaves as the engine's: results and failures come from the journal when they are in it, effects happen otherwise, and what
 * a step saves appears in the store with its receipt. `killAt` ends the execution right before the receipt of that step.
 */
export class FakeRun implements Run {
  readonly #journal: FakeJournal;
  readonly #ports: Ports & { readonly store: FakeStore };
  readonly #prefix: string;
  readonly #asked: Set<string>;
  readonly limits: Limits;
  killAt: string | undefined;
  limitAt: string | undefined;
  /** Ends whatever step runs, as the engine does when somebody pauses the ticket: nothing is recorded, and it is entered again. */
  control = new RunControl();

  constructor(
    journal: FakeJournal,
    ports: Ports & { readonly store: FakeStore },
    limits: Partial<Limits> = {},
    prefix = '',
    asked = new Set<string>(),
  ) {
    this.#journal = journal;
    this.#ports = ports;
    this.#prefix = prefix;
    this.#asked = asked;
    this.limits = Limits.parse(limits);
  }

  get runId(): string {
    return this.#journal.runId;
  }

  async step<T>(key: string, result: z.ZodType<T>, effect: (io: StepIo) => Promise<T>, limits: StepLimits = {}): Promise<T> {
    const full = this.#claim(key);
    const known = this.#journal.steps.get(full);
    if (known?.failed) throw fromRecord(known.failed);
    if (known?.done) return result.parse(known.done.result);
    const step: Step = known ?? { notes: [] };
    this.#journal.steps.set(full, step);
    const changes: Change[] = [];
    const io = this.#io(full, known !== undefined, step, changes, limits);
    try {
      const value = result.parse(await effect(io));
      if (this.killAt === full) throw new Killed(full);
      const stored = JSON.parse(JSON.stringify(value ?? null)) as Json;
      this.#ports.store.apply(changes);
      step.done = { result: stored };
      return result.parse(stored);
    } catch (thrown) {
      if (thrown instanceof Killed || thrown instanceof RunStopped) throw thrown;
      const error = toBeadsmithError(thrown);
      this.#ports.store.apply(changes.filter((change) => keptOnFailure.includes(change.type)));
      if (!error.continuable) step.failed = errorRecord(error);
      throw error;
    }
  }

  record<T>(key: string, result: z.ZodType<T>, effect: (io: RecordIo) => Promise<T> | T): Promise<T> {
    return this.step(key, result, async (io) => effect(io));
  }

  async wait<K extends InboxKind>(key: string, kinds: readonly K[]): Promise<InboxEntry<K>> {
    const full = this.#claim(key);
    const known = this.#journal.steps.get(full)?.done;
    if (known) return known.result as unknown as InboxEntry<K>;
    const [entry] = this.#unread(kinds);
    if (!entry) throw new Parked(kinds);
    this.#consume(full, [entry], entry);
    return entry;
  }

  async take<K extends InboxKind>(key: string, kinds: readonly K[]): Promise<readonly InboxEntry<K>[]> {
    const full = this.#claim(key);
    const known = this.#journal.steps.get(full)?.done;
    if (known) return known.result as unknown as InboxEntry<K>[];
    const entries = this.#unread(kinds);
    this.#consume(full, entries, entries);
    return entries;
  }

  async all<T>(branches: Readonly<Record<string, (run: Run) => Promise<T>>>): Promise<Record<string, Settled<T>>> {
    const settled: Record<string, Settled<T>> = {};
    await Promise.all(
      Object.entries(branches).map(async ([name, branch]) => {
        const run = new FakeRun(this.#journal, this.#ports, this.limits, `${this.#prefix}${name}/`, this.#asked);
        run.killAt = this.killAt;
        run.limitAt = this.limitAt;
        run.control = this.control;
        try {
          settled[name] = { ok: true, value: await branch(run) };
        } catch (error) {
          settled[name] = { ok: false, error };
        }
      }),
    );
    for (const result of Object.values(settled)) if (!result.ok && interrupts(result.error)) throw result.error;
    return Object.fromEntries(Object.keys(branches).map((name) => [name, settled[name]!]));
  }

  child(): Promise<never> {
    return Promise.reject(new Error('The fake run has no children.'));
  }

  now(key: string): Promise<number> {
    return this.step(key, z.number(), async (io) => io.ports.clock.now());
  }

  id(label: string): string {
    return sha256(`${this.runId}\n${this.#prefix}${label}`).slice(0, 26);
  }

  #claim(key: string): string {
    const full = this.#prefix + key;
    if (this.#asked.has(full)) throw new BeadsmithError('STEP_KEY_REUSED', { key: full });
    this.#asked.add(full);
    return full;
  }

  #unread<K extends InboxKind>(kinds: readonly K[]): InboxEntry<K>[] {
    return this.#ports.store.inboxRows.filter(
      (row): row is InboxEntry<K> => row.state === 'pending' && kinds.some((kind) => kind === row.kind) && readable(row),
    );
  }

  #consume(key: string, entries: readonly InboxEntry[], result: unknown): void {
    this.#journal.steps.set(key, { notes: [], done: { result: JSON.parse(JSON.stringify(result)) as Json } });
    this.#ports.store.apply(entries.map((entry) => ({ type: 'inbox', id: entry.id, state: 'consumed', outcome: null })));
  }

  #io(full: string, seen: boolean, step: Step, changes: Change[], limits: StepLimits): StepIo {
    const expired = new AbortController();
    if (limits.activeMs !== undefined && this.limitAt === full) setImmediate(() => expired.abort());
    return {
      key: `${this.runId}/${full}`,
      ticket: this.#ports.store.ticketRow.id,
      signal: AbortSignal.any([this.control.signal, expired.signal]),
      aborted: () => this.control.reason ?? (expired.signal.aborted ? 'limit' : undefined),
      resume: !seen ? 'first' : this.#journal.continued ? 'continue' : 'recover',
      earlier: [...step.notes],
      note: async (...references) => {
        step.notes.push(...references);
      },
      save: (change) => {
        changes.push(change);
      },
      ask: () => Promise.resolve({ kind: 'none' }),
      fence: async () => undefined,
      ports: this.#ports,
    };
  }
}

function readable(row: InboxEntry): boolean {
  return inboxBodies[row.kind].safeParse(row.body).success;
}

function interrupts(error: unknown): boolean {
  return (
    error instanceof Killed ||
    error instanceof RunStopped ||
    error instanceof Parked ||
    (error instanceof BeadsmithError && error.continuable)
  );
}
