import type * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import type { ContextState } from '../../../context/contextState.ts';
import type { ContextKey } from '../../../domain/workflow/contextKeys.ts';
import type { LimitName } from '../../../domain/settings/limits.ts';
import type { Limits, Settings } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { AnswerSchema, SessionRef } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { Repair } from './text/repair.ts';

/** One question to one model in one step: assembled, sent once, recorded, parsed, repaired if necessary. */
export interface Question<T> {
  readonly key: string;
  readonly contextKey: ContextKey;
  /** The prompt file's name without `.md`. Its front matter gives the tool policy. */
  readonly prompt: string;
  readonly member: string;
  /** Fills the prompt file's holes; must be exactly its `inputs`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Additions of this task. A function reads them inside the step, so that they aren't journaled. */
  readonly sections?: readonly Section[] | ((io: StepIo) => Promise<readonly Section[]>);
  /** Differences from the stored state; a function reads them in the step, so they aren't journaled. */
  readonly state?: Partial<ContextState> | ((io: StepIo) => Promise<Partial<ContextState>>);
  /**
   * Reads the answer. Gives the value, or the reason why it can't be used (which is what a repair prompt
   * tells the model). `inStep`: made inside the step, from what is stored then.
   */
  readonly parse: Parse<T> | { readonly inStep: (io: StepIo) => Promise<Parse<T>> };
  /**
   * Returns the reason why a value that could be read is probably not what was meant, as files or git show.
   * The model gets the reason while repairs are left; then the value is accepted as it is.
   */
  readonly doubt?: (io: StepIo, value: T) => Promise<string | undefined>;
  readonly result: z.ZodType<T>;
  /** Active milliseconds for the whole step. */
  readonly activeMs: number;
  /** The ticket's limit that `activeMs` comes from: named when it is used up, for a person to raise. */
  readonly limit?: { readonly name: LimitName; readonly ms: number };
  /** Continues in a session that has answered `prompts` prompts. Without it, a fresh one is created. */
  readonly session?: OpenSession;
  /** The question for a fresh session if its own is too long (docs/decisions/156-long-conversations.md). */
  readonly inFreshSession?: {
    readonly prompt: string;
    readonly sections: readonly Section[] | ((io: StepIo) => Promise<readonly Section[]>);
    readonly beforeFreshSession?: (io: StepIo) => Promise<void>;
  };
  readonly bead?: { readonly id: string; readonly iteration: number };
  /** With `seed` the preamble first, then parts under the loops' headings (docs/decisions/140-passes.md). */
  readonly order?: Settings['promptOrder'];
  /** Makes the folder in which its session works, and answers its path. Default: the ticket's worktree. */
  readonly place?: (io: StepIo) => Promise<string>;
  /** Same-session repair prompts after an unusable answer; default: the frozen structuredRetryCount. */
  readonly repairs?: number;
  /**
   * Of a call in an optional phase: what all calls of the phase may use. Beyond that, or beyond the ticket's
   * own cap, it fails with PHASE_CAP_REACHED.
   */
  readonly cap?: PhaseCap;
  /** The effect on the step when its provider fails. */
  readonly onProviderFailure?: OnProviderFailure;
  /** At the third loss of the server SESSION_LOST, with `losses` in its diagnostics, ends the call. */
  readonly endsWhenLost?: true;
  /** True if a person wants the session ended, asked at inbox changes: fails with CONTEXT_RESTART. */
  readonly restartsOn?: (io: StepIo) => Promise<boolean>;
  /** Runs before a session is replaced that was lost or useless: resets what it may have left. */
  readonly beforeFreshSession?: (io: StepIo) => Promise<void>;
  /** Runs before the receipt: stages artifacts with `io.save`. */
  readonly accept?: (io: StepIo, value: T) => Promise<void> | void;
}

/**
 * A provider's failure interrupts the run, to be continued (default); fails the step; or, as a council
 * `member`'s, fails it unless it can be asked again at a known time
 * (docs/decisions/065-waiting-for-providers.md).
 */
export type OnProviderFailure = 'interrupt' | 'fail' | 'member';

/** The cap of an optional phase for all its calls: tokens, and US cents at list prices; 0 = no cap. */
export interface PhaseCap {
  readonly phase: string;
  readonly tokens: number;
  readonly cents: number;
}

/** Reads an answer. `form`: what it is when it is written by a schema. */
export interface Parse<T> {
  (text: string): Parsed<T>;
  readonly form?: AnswerForm;
}

/** A document as JSON schema, and its JSON as text that `Parse` reads. */
export interface AnswerForm {
  readonly schema: AnswerSchema;
  readonly framed: (json: string) => string;
}

/**
 * A read answer, with its repairs; or why it can't be used. `insisted`: accepted if the model, told of the
 * problem, sends it again. `fallback`: accepted when no repair made it better.
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly repairs?: readonly Repair[] }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly insisted?: { readonly value: T; readonly repairs: readonly Repair[] };
      readonly fallback?: T;
    };

/** An answer that was read, as something else. */
export function parsedAs<T, U>(parsed: Parsed<T>, make: (value: T) => U): Parsed<U> {
  if (parsed.ok) return { ...parsed, value: make(parsed.value) };
  const { problem, insisted, fallback } = parsed;
  return {
    ok: false,
    problem,
    ...(insisted ? { insisted: { ...insisted, value: make(insisted.value) } } : {}),
    ...(fallback === undefined ? {} : { fallback: make(fallback) }),
  };
}

/** A session that may be asked again, with the number of prompts it has answered. */
export interface OpenSession extends SessionRef {
  readonly prompts: number;
}

export interface Answer<T> {
  readonly value: T;
  readonly session: OpenSession;
}

export interface AskScope {
  readonly runId: string;
  readonly limits: Limits;
  readonly ticket: TicketSnapshot;
}

/** A question without what depends on the type of its answer. */
export type QuestionFrame = Omit<Question<unknown>, 'parse' | 'result' | 'accept' | 'doubt'>;
