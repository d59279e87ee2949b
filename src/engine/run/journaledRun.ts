import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import type { Settled } from '../../base/result.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError, fromRecord } from '../../domain/core/errors.ts';
import { inboxBodies, type InboxEntry, type InboxKind } from '../../domain/ticket/inbox.ts';
import type { Limits } from '../../domain/settings/settings.ts';
import type { BeadStage } from '../../domain/beads/beadStages.ts';
import { consumed } from '../journal/transition.ts';
import type { JournalEntry } from '../ports/storePort.ts';
import { runBranches } from './branches.ts';
import { runChild } from './childRun.ts';
import type { RecordIo, Run, StepIo, StepLimits, TakeOptions } from './run.ts';
import { RunStopped, type RunScope } from './runScope.ts';
import { emitStep, runEffect } from './stepEffect.ts';

/**
 * Answers a handler from the journal, and records what that lacks (docs/decisions/001-journal-and-replay.md).
 */
export class JournaledRun implements Run {
  readonly #scope: RunScope;
  readonly #prefix: string;

  constructor(scope: RunScope, prefix = '') {
    this.#scope = scope;
    this.#prefix = prefix;
  }

  get runId(): string {
    return this.#scope.row.id;
  }

  get limits(): Limits {
    return this.#scope.row.limits;
  }

  step<T>(
    key: string,
    result: z.ZodType<T>,
    effect: (io: StepIo) => Promise<T>,
    limits: StepLimits = {},
  ): Promise<T> {
    return this.#once(key, result, (full) => runEffect(this.#scope, full, result, effect, limits));
  }

  record<T>(key: string, result: z.ZodType<T>, effect: (io: RecordIo) => Promise<T> | T): Promise<T> {
    return this.#once(key, result, (full) =>
      runEffect(this.#scope, full, result, async (io) => effect(io), { intent: false }),
    );
  }

  async wait<K extends InboxKind>(
    key: string,
    kinds: readonly K[],
    until?: { readonly afterMs: number },
  ): Promise<InboxEntry<K> | 'expired'> {
    const full = this.#claim(key);
    const known = this.#replay(full, waitResult<K>());
    if (known) return known.value;
    this.#scope.control.check();
    const deadline = until && (await this.#since(full)) + until.afterMs;
    await this.#scope.journal.settle();
    const [entry] = await readInbox(this.#scope, kinds);
    if (entry) {
      this.#record(full, { entry: entry as unknown as Json }, [entry]);
      return entry;
    }
    if (deadline !== undefined && this.#scope.ports.clock.now() >= deadline) {
      this.#record(full, { entry: null });
      return 'expired';
    }
    throw new RunStopped('parked', { kinds, until: deadline });
  }

  async take<K extends InboxKind>(
    key: string,
    kinds: readonly K[],
    { leave, only }: TakeOptions = {},
  ): Promise<readonly InboxEntry<K>[]> {
    const full = this.#claim(key);
    const known = this.#replay(full, z.array(entrySchema<K>()));
    if (known) return known.value;
    this.#scope.control.check();
    await this.#scope.journal.settle();
    const entries = (await readInbox(this.#scope, kinds)).filter(({ id }) => only?.includes(id) ?? true);
    this.#record(full, entries as unknown as Json, leave ? [] : entries);
    return entries;
  }

  all<T>(
    branches: Readonly<Record<string, (run: Run) => Promise<T>>>,
    limits?: { readonly atOnce: number },
  ): Promise<Record<string, Settled<T>>> {
    const { journal } = this.#scope;
    const runOf = (name: string): Run => new JournaledRun(this.#scope, `${this.#prefix}${name}/`);
    // Other branches may take long, and people want to see this result now.
    return runBranches(branches, { runOf, ended: () => journal.flush(), ...limits });
  }

  child<T>(key: string, result: z.ZodType<T>, stage: BeadStage, input: Json): Promise<T> {
    const runOf = (scope: RunScope, prefix: string): Run => new JournaledRun(scope, prefix);
    return this.#once(key, result, (full) => runChild(this.#scope, full, { result, stage, input }, runOf));
  }

  now(key: string): Promise<number> {
    return this.record(key, z.number(), () => this.#scope.ports.clock.now());
  }

  id(label: string): string {
    return sha256(`${this.#scope.row.id}\n${this.#prefix}${label}`).slice(0, 26);
  }

  async #once<T>(key: string, result: z.ZodType<T>, work: (full: string) => Promise<T>): Promise<T> {
    const full = this.#claim(key);
    const known = this.#replay(full, result);
    return known ? known.value : work(full);
  }

  #claim(key: string): string {
    const full = this.#prefix + key;
    if (this.#scope.asked.has(full)) throw new BeadsmithError('STEP_KEY_REUSED', { key: full });
    this.#scope.asked.add(full);
    return full;
  }

  #replay<T>(key: string, result: z.ZodType<T>): { readonly value: T } | undefined {
    const known = this.#scope.steps.get(key);
    if (known?.state === 'failed' && known.error) throw fromRecord(known.error);
    if (known?.state !== 'done') return undefined;
    emitStep(this.#scope, key, 'replayed');
    return { value: parseStored(key, result, known.result) };
  }

  /** Noted, so that a restart doesn't reset it. */
  async #since(key: string): Promise<number> {
    const noted = z.object({ since: z.number() }).safeParse(this.#scope.steps.get(key)?.notes[0]);
    if (noted.success) return noted.data.since;
    const since = this.#scope.ports.clock.now();
    await this.#scope.journal.commit([
      { kind: 'step.intent', run: this.runId, key },
      { kind: 'step.note', run: this.runId, key, note: { since } },
    ]);
    return since;
  }

  #record(key: string, result: Json, taken: readonly InboxEntry[] = []): void {
    const settled = taken.map(consumed);
    const done: JournalEntry = { kind: 'step.done', run: this.runId, key, result };
    this.#scope.journal.later(
      [...settled.map(({ journal }) => journal), done],
      settled.map(({ change }) => change),
    );
  }
}

function parseStored<T>(key: string, schema: z.ZodType<T>, stored: unknown): T {
  const parsed = schema.safeParse(stored);
  if (!parsed.success)
    throw new BeadsmithError('REPLAY_MISMATCH', { key, reason: z.prettifyError(parsed.error) });
  return parsed.data;
}

function entrySchema<K extends InboxKind>(): z.ZodType<InboxEntry<K>> {
  return z.custom<InboxEntry<K>>(
    (value) => z.object({ id: z.string(), kind: z.string() }).safeParse(value).success,
  );
}

function waitResult<K extends InboxKind>(): z.ZodType<InboxEntry<K> | 'expired'> {
  return z
    .object({ entry: entrySchema<K>().nullable() })
    .transform(({ entry }) => entry ?? ('expired' as const));
}

/** Oldest first. A body of another version is refused. */
async function readInbox<K extends InboxKind>(
  scope: Pick<RunScope, 'ports' | 'row'>,
  kinds: readonly K[],
): Promise<InboxEntry<K>[]> {
  const entries: InboxEntry<K>[] = [];
  for (const entry of await scope.ports.store.inbox(scope.row.ticket, { pending: true })) {
    if (!isOfKind(entry, kinds)) continue;
    const body = inboxBodies[entry.kind].safeParse(entry.body);
    if (body.success) entries.push(entry);
    else await refuse(scope, entry, z.prettifyError(body.error));
  }
  return entries;
}

function isOfKind<K extends InboxKind>(entry: InboxEntry, kinds: readonly K[]): entry is InboxEntry<K> {
  return kinds.some((kind) => kind === entry.kind);
}

async function refuse(
  scope: Pick<RunScope, 'ports' | 'row'>,
  entry: InboxEntry,
  reason: string,
): Promise<void> {
  await scope.ports.store.commit({
    ticket: scope.row.ticket,
    journal: [{ kind: 'inbox', id: entry.id, outcome: 'refused', reason }],
    changes: [
      { type: 'inbox', id: entry.id, state: 'refused', outcome: { code: 'INVALID_INPUT', message: reason } },
    ],
  });
}
