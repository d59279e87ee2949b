import * as z from 'zod';
import { AnswerType, QuestionOption } from '../../domain/requirements/answers.ts';

/** The conditions under which a case applies. Everything given must hold. */
const When = z
  .object({
    model: z.string().optional(),
    /** Of `bead_data`. */
    bead: z.string().optional(),
    iteration: z.number().int().optional(),
    /** Number of keep-working prompts that the session had; `atLeast` for "this many or more". */
    continuation: z.union([z.number().int(), z.object({ atLeast: z.number().int() })]).optional(),
    /** True if the prompt asks to correct an answer's form. */
    repair: z.boolean().optional(),
    /** A part of the prompt, and what it must hold or must not hold. */
    part: z.string().optional(),
    has: z.string().optional(),
    lacks: z.string().optional(),
  })
  .strict();

/** A failure of the server. `hang`: says nothing; `cut-off`: ends with `finish_reason: length`. */
const Fault = z.enum(['http-401', 'http-429', 'http-500', 'hang', 'garbage', 'cut-off']);

/** The form of an interview question: only the fields that are given replace the plain form. */
export const QuestionForm = z
  .object({
    priority: z.enum(['critical', 'high', 'medium', 'low']).optional(),
    rationale: z.string().optional(),
    answer_type: AnswerType.optional(),
    options: z.array(QuestionOption).optional(),
  })
  .strict();
export type QuestionForm = z.infer<typeof QuestionForm>;

const Case = z
  .object({
    when: When.default({}),
    calls: z.array(z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) })).default([]),
    /** Makes the calls although the session may not offer the tools, as some models do. */
    forced: z.boolean().optional(),
    /** The final text; without it, the text of the generic model. */
    text: z.string().optional(),
    /** The gaps that an audit finds; its rows are made from the documents. */
    gaps: z.array(z.string()).optional(),
    fault: Fault.optional(),
    /** Time for which the model thinks before each of its answers, in milliseconds. */
    delayMs: z.number().int().min(0).max(600_000).optional(),
  })
  .strict();

/** A script: cases by task name, of which the first that applies is played, else a generic answer. */
export const ModelScript = z
  .object({
    version: z.literal(1),
    name: z.string(),
    tasks: z.record(z.string(), z.array(Case)),
    /** The form of questions of the checklist, by question id. */
    questions: z.record(z.string(), QuestionForm).default({}),
    /** The reason why a question of the checklist isn't asked, by question id. */
    settled: z.record(z.string(), z.string()).default({}),
    /** The answer to a skipped question, by question id: an option's id, or a text. */
    fullAnswers: z.record(z.string(), z.string()).default({}),
  })
  .strict();
export type ModelScript = z.infer<typeof ModelScript>;
export type ScriptCase = z.infer<typeof Case>;
export type Fault = z.infer<typeof Fault>;
export type ScriptInput = z.input<typeof ModelScript>;

/** A call of one of OpenCode's tools, with its own argument names. Paths are relative to the worktree. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A model's response to a prompt: these tool calls one after the other, then this text. */
export interface Plan {
  readonly calls: readonly ToolCall[];
  readonly text: string;
}

/** The next thing a model says. */
export type Move =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'call'; readonly call: ToolCall };

/** A move, and how long the model thinks about it. */
export type TimedMove = Move & { readonly delayMs?: number };

/** A plan without tools. */
export function say(text: string): Plan {
  return { calls: [], text };
}
