import type * as z from 'zod';
import type { HandlerResult } from '../journal/transition.ts';
import type { Json } from '../../base/json.ts';
import type { Settled } from '../../base/result.ts';
import type { RequestDecision } from '../../domain/ticket/agentRequest.ts';
import type {
  BeadStage,
  RequiredStage,
  StageExit,
  StageInput,
  StageOutput,
  StageRow,
  SwitchableStage,
} from '../../domain/beads/beadStages.ts';
import type { InboxEntry, InboxKind } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerExits, HandlerName } from '../../domain/workflow/rows.ts';
import type { Limits } from '../../domain/settings/settings.ts';
import type { AskedRequest, Ports } from '../ports/ports.ts';
import type { Change } from '../ports/storePort.ts';

/**
 * The interface of a handler to the engine (docs/decisions/001-journal-and-replay.md). A handler is replayed
 * from its start after every interruption: what a step, wait, take or child answered is read from the
 * journal, so everything that touches the world must happen inside a step.
 */
export interface Run {
  /** The id of this entry into the status. */
  readonly runId: string;
  readonly limits: Limits;
  /**
   * Does an effect once. Its result must parse by `result` now and on every replay. Throws the effect's
   * error, now and on every replay.
   */
  step<T>(
    key: string,
    result: z.ZodType<T>,
    effect: (io: StepIo) => Promise<T>,
    limits?: StepLimits,
  ): Promise<T>;
  /**
   * A step that reads and changes nothing but the database. The transaction that holds its changes is effect
   * and receipt in one, so it needs no intent ahead of it, and it may be that of the run's next commit.
   */
  record<T>(key: string, result: z.ZodType<T>, effect: (io: RecordIo) => Promise<T> | T): Promise<T>;
  /**
   * Waits, over restarts, for the oldest unread entry of these kinds. `until` in milliseconds from the first
   * time it was asked.
   */
  wait<K extends InboxKind>(
    key: string,
    kinds: readonly K[],
    until?: { readonly afterMs: number },
  ): Promise<InboxEntry<K> | 'expired'>;
  /**
   * Takes the pending entries of these kinds, possibly none. They are journaled, so a replay gets the same
   * ones.
   */
  take<K extends InboxKind>(
    key: string,
    kinds: readonly K[],
    options?: TakeOptions,
  ): Promise<readonly InboxEntry<K>[]>;
  /**
   * Named branches side by side, at most `atOnce`; waits for every one. An interruption of any branch
   * interrupts the whole.
   */
  all<T>(
    branches: Readonly<Record<string, (run: Run) => Promise<T>>>,
    limits?: { readonly atOnce: number },
  ): Promise<Record<string, Settled<T>>>;
  /**
   * A run of its own that is one journal entry to this one: a bead iteration that starts at `stage` with the
   * state `input`.
   */
  child<T>(key: string, result: z.ZodType<T>, stage: BeadStage, input: Json): Promise<T>;
  now(key: string): Promise<number>;
  /** An id that is the same on every replay. */
  id(label: string): string;
}

/** The limits of a step. */
export interface StepLimits {
  /**
   * Active milliseconds; expiry aborts `io.signal` and fails the step with LIMIT_EXPIRED unless the effect
   * answers something else.
   */
  readonly activeMs?: number;
}

/**
 * The entries to take from the inbox. `leave`: the entries are journaled, and stay pending until they are
 * taken. `only`: those with these ids.
 */
export interface TakeOptions {
  readonly leave?: true;
  readonly only?: readonly string[];
}

/**
 * The options for putting an agent's request to people. `windowMs`: how long they have. `withdrawn` is
 * aborted when the agent no longer waits.
 */
export interface AskOptions {
  /** The source of the request: a model. */
  readonly source: string;
  readonly windowMs: number;
  /** The window starts again whenever it ends: only a person ends the request. */
  readonly waitsForPerson?: true;
  readonly withdrawn: AbortSignal;
  /** Database changes that commit with the decision. */
  readonly keep?: (decision: RequestDecision) => readonly Change[];
}

/**
 * A step's wait for something that passes. `id` is the same whenever the same wait is entered again. `until`
 * in milliseconds since 1970.
 */
export interface HoldOptions {
  readonly id: string;
  readonly kind: 'quota' | 'offline';
  readonly until: number;
  readonly detail: string;
}

/** The interface of an effect to the engine. Ports exist only here. */
export interface StepIo {
  /** Unique for the step, the same on every attempt at it: `run/key`. */
  readonly key: string;
  readonly ticket: string;
  readonly signal: AbortSignal;
  /** Returns why the signal was aborted; undefined if it wasn't. */
  aborted(): 'limit' | 'cancel' | 'stop' | undefined;
  /**
   * `first`: never tried before. `recover`: an attempt was interrupted. `continue`: a person asked to
   * continue after an interruption.
   */
  readonly resume: 'first' | 'recover' | 'continue';
  /** The notes of earlier attempts. Check them before you act. */
  readonly earlier: readonly Json[];
  /** Stores at once, in one commit, what was started (a session's id, a commit). */
  note(...references: readonly Json[]): Promise<void>;
  /** Stages a database change that commits with the receipt. */
  save(change: Change): void;
  /**
   * Puts an agent's request to people. The ticket is held and the step's clock stops until a person decides
   * or the window ends (`none`). A decision is noted before it is returned, so that the same `asked` gets it
   * again after a crash. Undefined: the request was withdrawn, or the step is being stopped.
   */
  ask(request: AskedRequest, options: AskOptions): Promise<RequestDecision | undefined>;
  /**
   * Holds the ticket until a time, or until a person resumes it; the step's clock stops meanwhile. After a
   * restart the rest of the time is waited for. Throws when the step is stopped.
   */
  hold(options: HoldOptions): Promise<void>;
  /** Throws EPOCH_LOST unless this process still drives. Call it before an effect that can't be undone. */
  fence(): Promise<void>;
  readonly ports: Ports;
}

/** The interface of a step that stays within the database. */
export interface RecordIo extends Pick<StepIo, 'key' | 'ticket' | 'save'> {
  readonly ports: Pick<Ports, 'store' | 'clock' | 'events'>;
}

/**
 * `version` rises when a change would make old journals replay differently; an open run of another version is
 * superseded (docs/ARCHITECTURE.md §5.5).
 */
export interface HandlerDefinition<Exit extends string> {
  readonly version: number;
  readonly run: Handler<Exit>;
}

/**
 * Handles a status. It is called again from the start after every interruption and must do the same things in
 * the same order.
 */
type Handler<Exit extends string> = (run: Run, ticket: TicketSnapshot) => Promise<HandlerResult<Exit>>;

/** One implementation for every handler name of the workflow table. */
export type Handlers = { readonly [H in HandlerName]: HandlerDefinition<HandlerExits[H]> };

/**
 * Handles a stage of a bead's iteration. Like any handler it is called again after an interruption, so
 * everything that touches the world is in steps of `run`. It returns its own part of the iteration's state;
 * the machine keeps the rest.
 */
type Stage<In, Out, Exit extends string> = (
  run: Run,
  ticket: TicketSnapshot,
  input: In,
) => Promise<{ readonly exit: Exit; readonly output: Out }>;

/** The handler of one stage of the table. */
export type StageHandler<S extends BeadStage> = Stage<StageInput<S>, StageOutput<S>, StageExit<S>>;

/** A handler for every required stage. An optional stage may have one once its setting exists. */
export type StageHandlers = { readonly [S in RequiredStage]: StageHandler<S> } & {
  readonly [S in SwitchableStage]?: StageHandler<S>;
};

/**
 * The stages of an iteration as the engine runs them. `version` rises when a change would make old iterations
 * replay differently: a run whose open iteration was started under another version is superseded together
 * with it (docs/ARCHITECTURE.md §5.5).
 */
export interface StageMachine {
  readonly version: number;
  readonly table: Readonly<Record<string, StageRow>>;
  /** Typed by `StageHandlers` where they are listed; here each gets what its own row's `input` parsed. */
  readonly handlers: Readonly<Record<string, Stage<never, unknown, string> | undefined>>;
}
