import { RunJournal } from '../journal/runJournal.ts';
import type { Hold } from '../../domain/ticket/ticket.ts';
import type { Ports } from '../ports/ports.ts';
import type { Change, JournalEntry, RunRow, StepRow } from '../ports/storePort.ts';
import type { StageMachine } from './run.ts';

type StopReason = 'cancel' | 'stop';

type EndReason = StopReason | 'parked' | 'superseded';

/** The entries that wake a parked run, or the time. */
interface WaitsFor {
  readonly kinds: readonly string[];
  readonly until: number | undefined;
}

/** Ends a handler without a result; handlers never catch it. The run stays open unless superseded. */
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

/** Stops a handler and its running steps. */
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

  check(): void {
    if (this.#reason) throw new RunStopped(this.#reason);
  }
}

/** The shared state of a run. Branches differ only in key prefixes. */
export interface RunScope {
  readonly row: RunRow;
  readonly ports: Ports;
  readonly control: RunControl;
  readonly stages: StageMachine;
  readonly journal: RunJournal;
  readonly steps: ReadonlyMap<string, StepRow>;
  /** An earlier process left a request's hold that no step has continued. Shared with child runs. */
  readonly left: { hold: boolean };
  readonly waits: Map<string, Hold>;
  /** Children interrupted by a full disk or a locked database, which isn't a crash. */
  readonly interruptedByStore: Set<string>;
  /** Gives its slot to others while it waits for a person. */
  readonly aside: { readonly leave: () => void; readonly back: (signal: AbortSignal) => Promise<void> };
  /** Shared with child runs. */
  readonly atWork: StepsAtWork;
  readonly asked: Set<string>;
}

type ScopeParts = Omit<RunScope, 'journal' | 'steps' | 'asked'> & Partial<Pick<RunScope, 'journal'>>;

/** The scope of a journaled run. */
export async function openScope(parts: ScopeParts): Promise<RunScope> {
  return scopeOf(parts, await parts.ports.store.steps(parts.row.id));
}

/** The scope of a new run; `opening` goes into its first commit. */
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

/** Ends an earlier process's hold, once the step ended without asking again. */
export function releaseStaleHold({ left }: RunScope): readonly Change[] {
  if (!left.hold) return [];
  left.hold = false;
  return [{ type: 'ticket', set: { hold: null } }];
}

/** Journaled keys that a changed handler didn't ask for (docs/ARCHITECTURE.md §5.5). */
export function unaskedKeys(scope: RunScope): readonly string[] {
  return [...scope.steps.values()]
    .filter((step) => step.state !== 'intent' && !scope.asked.has(step.key))
    .map((step) => step.key);
}

/** A ticket's steps that are open, and which of them only wait for a time. Shared by its runs. */
export class StepsAtWork {
  readonly #leave: ((until: number) => void) | undefined;
  readonly #waits = new Map<object, number>();
  #open = 0;

  /** `leave`: ends the drive until then; undefined where waits keep it. */
  constructor(leave?: (until: number) => void) {
    this.#leave = leave;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
    }
  }

  /** `work` gets a function to call now and then, which ends the drive if every step waits. */
  async waiting(until: number, work: (leaveIfAllWait: () => void) => Promise<void>): Promise<void> {
    const me = {};
    this.#waits.set(me, until);
    try {
      await work(() => {
        if (this.#waits.size >= this.#open) this.#leave?.(Math.min(...this.#waits.values()));
      });
    } finally {
      this.#waits.delete(me);
    }
  }
}
