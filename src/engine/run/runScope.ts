import { RunJournal } from '../journal/runJournal.ts';
import type { Hold } from '../../domain/ticket/ticket.ts';
import type { Ports } from '../ports/ports.ts';
import type { Change, JournalEntry, RunRow, StepRow } from '../ports/storePort.ts';
import type { StageMachine } from './run.ts';

type StopReason = 'cancel' | 'stop';

/**
 * The reason why a handler ends without a result: it is stopped, waits for something, or its run can't
 * continue under today's version.
 */
type EndReason = StopReason | 'parked' | 'superseded';

/** The kinds of events that would wake a parked run, and the time when it wakes by itself. */
interface WaitsFor {
  readonly kinds: readonly string[];
  readonly until: number | undefined;
}

/**
 * Ends a handler without a result. Its run stays open unless it is superseded; nothing is recorded as failed.
 * Never caught by handlers.
 */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: EndReason;
  readonly waitsFor: WaitsFor | undefined;

  constructor(reason: EndReason, waitsFor?: WaitsFor) {
    super(`The run was ended: ${reason}`);
    this.reason = reason;
    this.waitsFor = waitsFor;
  }
}

/** Lets the runner stop a handler: aborts its running steps, and lets no further step start. */
export class RunControl {
  readonly #controller = new AbortController();
  #reason: StopReason | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  stop(reason: StopReason): void {
    this.#reason ??= reason;
    this.#controller.abort(new RunStopped(this.#reason));
  }

  /** Throws RunStopped once `stop` was called. */
  check(): void {
    if (this.#reason) throw new RunStopped(this.#reason);
  }
}

/** The state that all parts of one run share. Branches of `all` differ only in the prefix of their keys. */
export interface RunScope {
  readonly row: RunRow;
  readonly ports: Ports;
  readonly control: RunControl;
  readonly stages: StageMachine;
  readonly journal: RunJournal;
  /** The run's steps as the journal had them when it was opened, by key. */
  readonly steps: ReadonlyMap<string, StepRow>;
  /**
   * True if an earlier process left the ticket held by an agent's request that no step has continued since.
   * Shared with child runs.
   */
  readonly left: { hold: boolean };
  /**
   * The waits of its steps that are under way, by their ids: branches may wait side by side, and the ticket
   * shows the one that ends last.
   */
  readonly waits: Map<string, Hold>;
  /**
   * Ids of children that a full disk or a locked database interrupted while this process ran, which isn't a
   * crash. Kept from one execution to the next.
   */
  readonly interruptedByStore: Set<string>;
  /** Lets other tickets work while this one waits for a person (`Slots`). */
  readonly aside: { readonly leave: () => void; readonly back: (signal: AbortSignal) => Promise<void> };
  /** The keys this execution of the handler has asked for. */
  readonly asked: Set<string>;
}

/** A child run writes to its parent's journal, so that they share their commits. */
type ScopeParts = Omit<RunScope, 'journal' | 'steps' | 'asked'> & Partial<Pick<RunScope, 'journal'>>;

/** The scope of a run that is in the journal, with what is known of its steps. */
export async function openScope(parts: ScopeParts): Promise<RunScope> {
  return scopeOf(parts, await parts.ports.store.steps(parts.row.id));
}

/** The scope of a run that isn't in the journal yet. `opening` puts it there with its first commit. */
export function newScope(parts: ScopeParts, opening: readonly JournalEntry[]): RunScope {
  const scope = scopeOf(parts, []);
  scope.journal.later(opening);
  return scope;
}

function scopeOf(parts: ScopeParts, steps: readonly StepRow[]): RunScope {
  return {
    ...parts,
    journal: parts.journal ?? new RunJournal(parts.ports.store, parts.row.ticket),
    steps: new Map(steps.map((step) => [step.key, step])),
    asked: new Set(),
  };
}

/** Ends a hold that an earlier process left, once the interrupted step has ended without asking again. */
export function releaseStaleHold({ left }: RunScope): readonly Change[] {
  if (!left.hold) return [];
  left.hold = false;
  return [{ type: 'ticket', set: { hold: null } }];
}

/**
 * Journaled keys the handler didn't ask for: it no longer does what it did when they were written
 * (docs/ARCHITECTURE.md §5.5).
 */
export function unaskedKeys(scope: RunScope): readonly string[] {
  return [...scope.steps.values()]
    .filter((step) => step.state !== 'intent' && !scope.asked.has(step.key))
    .map((step) => step.key);
}
