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

/**
 * One question to one model, done as one step: assembled, planned, sent once, recorded, parsed, and repaired
 * in the same session if necessary.
 */
export interface Question<T> {
  /** The step's key. */
  readonly key: string;
  readonly contextKey: ContextKey;
  /** The prompt file's name without `.md`. Its front matter gives the tool policy. */
  readonly prompt: string;
  readonly member: string;
  /** Fills the prompt file's holes; must be exactly its `inputs`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Additions of this task. A function reads them inside the step, so that they aren't journaled. */
  readonly sections?: readonly Section[] | ((io: StepIo) => Promise<readonly Section[]>);
  /**
   * The differences from the state in the database: drafts for a vote, the bead for coding. A function reads
   * them inside the step, so that they aren't journaled.
   */
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
  /**
   * The ticket's limit that `activeMs` comes from, whole: what is said when it is used up, and raised by a
   * person.
   */
  readonly limit?: { readonly name: LimitName; readonly ms: number };
  /** Continues in a session that has answered `prompts` prompts. Without it, a fresh one is created. */
  readonly session?: OpenSession;
  /**
   * Of a question that continues a session: how it is asked in a fresh one, when the session has grown too
   * long (docs/decisions/156-long-conversations.md).
   */
  readonly inFreshSession?: {
    readonly prompt: string;
    readonly sections: readonly Section[] | ((io: StepIo) => Promise<readonly Section[]>);
    readonly beforeFreshSession?: (io: StepIo) => Promise<void>;
  };
  readonly bead?: { readonly id: string; readonly iteration: number };
  /**
   * With `seed` the preamble comes first, and the parts under the headings of loops
   * (docs/decisions/140-passes.md).
   */
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
  /**
   * The third time that the server ends with the session, the call ends with SESSION_LOST, which says
   * `losses` in its diagnostics.
   */
  readonly endsWhenLost?: true;
  /**
   * Returns true if a person wants the session ended now. Asked when the inbox changes; then the step fails
   * with CONTEXT_RESTART.
   */
  readonly restartsOn?: (io: StepIo) => Promise<boolean>;
  /**
   * Runs before a fresh session replaces one that was lost or gave no answer: resets what that one may have
   * left.
   */
  readonly beforeFreshSession?: (io: StepIo) => Promise<void>;
  /** Runs before the receipt: stages artifacts with `io.save`. */
  readonly accept?: (io: StepIo, value: T) => Promise<void> | void;
}

/**
 * The effect of a provider's failure: it interrupts the run, to be continued (default); fails the step; or,
 * as a council member's (`member`), fails it unless the provider says when it can be asked again
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
 * A read answer, with the repairs it took; or why it can't be used, as the model is told. `insisted`: what is
 * accepted all the same if the model, told of the problem, sends it again. `fallback`: what is accepted when
 * no repair made it better.
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

/** The parts of its run that a question needs to know. */
export interface AskScope {
  readonly runId: string;
  readonly limits: Limits;
  readonly ticket: TicketSnapshot;
}

/** A question without what depends on the type of its answer. */
export type QuestionFrame = Omit<Question<unknown>, 'parse' | 'result' | 'accept' | 'doubt'>;
