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
 * A handler's interface (docs/decisions/001-journal-and-replay.md). Handlers are replayed after
 * interruptions, so what touches the world happens inside a step.
 */
export interface Run {
  readonly runId: string;
  readonly limits: Limits;
  /** Does an effect once; replays get its result, parsed by `result`, or its error. */
  step<T>(
    key: string,
    result: z.ZodType<T>,
    effect: (io: StepIo) => Promise<T>,
    limits?: StepLimits,
  ): Promise<T>;
  /** A step in the database alone: effect and receipt are one transaction. */
  record<T>(key: string, result: z.ZodType<T>, effect: (io: RecordIo) => Promise<T> | T): Promise<T>;
  /**
   * Waits, over restarts, for the oldest entry of these kinds. `until`: milliseconds after the first call.
   */
  wait<K extends InboxKind>(
    key: string,
    kinds: readonly K[],
    until?: { readonly afterMs: number },
  ): Promise<InboxEntry<K> | 'expired'>;
  /** Takes pending entries. A replay gets the same ones. */
  take<K extends InboxKind>(
    key: string,
    kinds: readonly K[],
    options?: TakeOptions,
  ): Promise<readonly InboxEntry<K>[]>;
  /** Waits for all branches. One interruption interrupts the whole. */
  all<T>(
    branches: Readonly<Record<string, (run: Run) => Promise<T>>>,
    limits?: { readonly atOnce: number },
  ): Promise<Record<string, Settled<T>>>;
  /** A bead iteration from `stage` with the state `input`: a run of its own, and one journal entry here. */
  child<T>(key: string, result: z.ZodType<T>, stage: BeadStage, input: Json): Promise<T>;
  now(key: string): Promise<number>;
  id(label: string): string;
}

/** The limits of a step. */
export interface StepLimits {
  /** Then `io.signal` aborts; LIMIT_EXPIRED unless the effect returns. */
  readonly activeMs?: number;
}

/** Filters entries. `leave`: they stay pending. `only`: these ids. */
export interface TakeOptions {
  readonly leave?: true;
  readonly only?: readonly string[];
}

/** Options for asking people. `withdrawn`: the agent no longer waits. */
export interface AskOptions {
  readonly source: string;
  readonly windowMs: number;
  /** The window restarts whenever it ends. */
  readonly waitsForPerson?: true;
  readonly withdrawn: AbortSignal;
  readonly keep?: (decision: RequestDecision) => readonly Change[];
}

/** A wait with a stable `id`. `until` in milliseconds since 1970. */
export interface HoldOptions {
  readonly id: string;
  readonly kind: 'quota' | 'offline';
  readonly until: number;
  readonly detail: string;
}

/** An effect's interface, with the ports. */
export interface StepIo {
  /** `run/key`, the same on every attempt. */
  readonly key: string;
  readonly ticket: string;
  readonly signal: AbortSignal;
  aborted(): 'limit' | 'cancel' | 'stop' | undefined;
  /** `recover`: after an interruption. `continue`: after one, at a person's request. */
  readonly resume: 'first' | 'recover' | 'continue';
  /** Notes of earlier attempts: check them before you act. */
  readonly earlier: readonly Json[];
  /** Stores at once what was started (a session's id, a commit). */
  note(...references: readonly Json[]): Promise<void>;
  save(change: Change): void;
  /**
   * Holds the ticket and stops the clock until a decision or the window's end (`none`). The decision is noted
   * first, for the same `asked` after a crash. Undefined: withdrawn, or stopping.
   */
  ask(request: AskedRequest, options: AskOptions): Promise<RequestDecision | undefined>;
  /**
   * Holds the ticket until a time or a person's resume, over restarts, with the clock stopped. Throws when
   * stopped.
   */
  hold(options: HoldOptions): Promise<void>;
  /** Throws EPOCH_LOST unless this process drives. Call it before an irreversible effect. */
  fence(): Promise<void>;
  readonly ports: Ports;
}

/** The interface of a record. */
export interface RecordIo extends Pick<StepIo, 'key' | 'ticket' | 'save'> {
  readonly ports: Pick<Ports, 'store' | 'clock' | 'events'>;
}

/**
 * A status's handler. A changed replay needs a new `version`, which supersedes open runs
 * (docs/ARCHITECTURE.md §5.5).
 */
export interface HandlerDefinition<Exit extends string> {
  readonly version: number;
  readonly run: Handler<Exit>;
}

/** Repeated after interruptions, so it must do the same things in the same order. */
type Handler<Exit extends string> = (run: Run, ticket: TicketSnapshot) => Promise<HandlerResult<Exit>>;

/** A handler for every name of the workflow table. */
export type Handlers = { readonly [H in HandlerName]: HandlerDefinition<HandlerExits[H]> };

/** Repeated like any handler. Returns its own part of the state. */
type Stage<In, Out, Exit extends string> = (
  run: Run,
  ticket: TicketSnapshot,
  input: In,
) => Promise<{ readonly exit: Exit; readonly output: Out }>;

/** The handler of one stage of the table. */
export type StageHandler<S extends BeadStage> = Stage<StageInput<S>, StageOutput<S>, StageExit<S>>;

/** A handler for every required stage, and optional ones. */
export type StageHandlers = { readonly [S in RequiredStage]: StageHandler<S> } & {
  readonly [S in SwitchableStage]?: StageHandler<S>;
};

/**
 * The stages of an iteration. A changed replay needs a new `version`, which supersedes runs with open
 * iterations (docs/ARCHITECTURE.md §5.5).
 */
export interface StageMachine {
  readonly version: number;
  readonly table: Readonly<Record<string, StageRow>>;
  /** Typed by `StageHandlers`. */
  readonly handlers: Readonly<Record<string, Stage<never, unknown, string> | undefined>>;
}
