import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import type { ContextState } from '../../../context/contextState.ts';
import type { ContextKey } from '../../../domain/workflow/contextKeys.ts';
import type { LimitName } from '../../../domain/settings/limits.ts';
import type { Limits, Settings } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { AnswerSchema } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { Repair } from './text/repair.ts';

/** One call to one model in one step, with its repairs. */
export interface Call<T> {
  readonly key: string;
  readonly contextKey: ContextKey;
  /** The prompt file's name without `.md`. Its front matter gives the tool policy. */
  readonly prompt: string;
  readonly member: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** A function reads them inside the step, so that they aren't journaled. */
  readonly sections?: readonly Section[] | ((io: StepIo) => Promise<readonly Section[]>);
  readonly state?: Partial<ContextState> | ((io: StepIo) => Promise<Partial<ContextState>>);
  /** The reason why an answer can't be used is for a repair prompt. `inStep`: from what is stored then. */
  readonly parse: Parse<T> | { readonly inStep: (io: StepIo) => Promise<Parse<T>> };
  /** Asks the model again while repairs are left; then the value is accepted. */
  readonly doubt?: (io: StepIo, value: T) => Promise<string | undefined>;
  readonly result: z.ZodType<T>;
  /** Active milliseconds for the whole step. */
  readonly activeMs: number;
  readonly limit?: { readonly name: LimitName; readonly ms: number };
  readonly session?: OpenSession;
  /** The call for a fresh session if its own is too long (docs/decisions/156-long-conversations.md). */
  readonly inFreshSession?: {
    readonly prompt: string;
    readonly sections: readonly Section[] | ((io: StepIo) => Promise<readonly Section[]>);
    readonly beforeFreshSession?: (io: StepIo) => Promise<void>;
  };
  readonly bead?: { readonly id: string; readonly iteration: number };
  /** With `seed` the preamble first, then parts under the loops' headings (docs/decisions/140-passes.md). */
  readonly order?: Settings['promptOrder'];
  readonly place?: (io: StepIo) => Promise<string>;
  readonly repairs?: number;
  /** For all calls of an optional phase. Beyond it, or the ticket's own cap, fails with PHASE_CAP_REACHED. */
  readonly cap?: PhaseCap;
  readonly onProviderFailure?: OnProviderFailure;
  /** The third loss of the server ends the call with SESSION_LOST. */
  readonly endsWhenLost?: true;
  /** Asked at inbox changes: fails with CONTEXT_RESTART. */
  readonly restartsOn?: (io: StepIo) => Promise<boolean>;
  readonly beforeFreshSession?: (io: StepIo) => Promise<void>;
  readonly accept?: (io: StepIo, value: T) => Promise<void> | void;
}

/**
 * Interrupts the run, to be continued (default); fails the step; or, as a council `member`'s, fails it unless
 * it can be asked again at a known time.
 */
export type OnProviderFailure = 'interrupt' | 'fail' | 'member';

/** Tokens, and US cents at list prices; 0 = no cap. */
export interface PhaseCap {
  readonly phase: string;
  readonly tokens: number;
  readonly cents: number;
}

export interface Parse<T> {
  (text: string): Parsed<T>;
  readonly form?: AnswerForm;
}

export interface AnswerForm {
  readonly schema: AnswerSchema;
  readonly framed: (json: string) => string;
}

/** `insisted`: accepted if the model sends it again. `fallback`: accepted when no repair made it better. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly repairs?: readonly Repair[] }
  | { readonly ok: false; readonly problem: string; readonly insisted?: Read<T>; readonly fallback?: T };

export interface Read<T> {
  readonly value: T;
  readonly repairs: readonly Repair[];
}

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

export const OpenSession = z.object({ id: z.string(), directory: z.string(), prompts: z.number().int() });
export type OpenSession = Readonly<z.infer<typeof OpenSession>>;

export interface Answer<T> {
  readonly value: T;
  readonly session: OpenSession;
}

export interface AskScope {
  readonly runId: string;
  readonly limits: Limits;
  readonly ticket: TicketSnapshot;
}

export type CallFrame = Omit<Call<unknown>, 'parse' | 'result' | 'accept' | 'doubt'>;
