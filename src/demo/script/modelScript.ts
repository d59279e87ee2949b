import * as z from 'zod';
import { AnswerType, QuestionOption } from '../../domain/requirements/answers.ts';

/** Everything given must hold. */
const When = z
  .object({
    model: z.string().optional(),
    bead: z.string().optional(),
    iteration: z.number().int().optional(),
    /** Number of keep-working prompts. */
    continuation: z.union([z.number().int(), z.object({ atLeast: z.number().int() })]).optional(),
    /** A prompt that asks to correct an answer's form. */
    repair: z.boolean().optional(),
    /** A part of the prompt, and what it must or must not contain. */
    part: z.string().optional(),
    has: z.string().optional(),
    lacks: z.string().optional(),
  })
  .strict();

/** `cut-off`: ends with `finish_reason: length`. */
const Fault = z.enum(['http-401', 'http-429', 'http-500', 'hang', 'garbage', 'cut-off']);

/** Given fields replace the plain form. */
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
    /** Calls tools that the session doesn't offer, as some models do. */
    forced: z.boolean().optional(),
    /** Without any of the next three, the generic text. */
    text: z.string().optional(),
    /** Data, as YAML in a fence. */
    answer: z.unknown().optional(),
    /** The end of a coding answer. `failing`: why the model gives up. */
    report: z.object({ files: z.array(z.string()), failing: z.string().optional() }).optional(),
    /** The gaps that an audit finds. */
    gaps: z.array(z.string()).optional(),
    fault: Fault.optional(),
    /** Thinking time before each answer. */
    delayMs: z.number().int().min(0).max(600_000).optional(),
  })
  .strict();

/** The first case that applies is played, else a generic answer. */
export const ModelScript = z
  .object({
    version: z.literal(1),
    name: z.string(),
    tasks: z.record(z.string(), z.array(Case)),
    /** By question ID. */
    questions: z.record(z.string(), QuestionForm).default({}),
    /** Reasons for not asking a question, by its ID. */
    settled: z.record(z.string(), z.string()).default({}),
    /** Answers to skipped questions: an option's ID, or a text. */
    fullAnswers: z.record(z.string(), z.string()).default({}),
  })
  .strict();
export type ModelScript = z.infer<typeof ModelScript>;
export type ScriptCase = z.infer<typeof Case>;
export type Fault = z.infer<typeof Fault>;
export type ScriptInput = z.input<typeof ModelScript>;

/** Paths are relative to the worktree. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export function readCall(filePath: string): ToolCall {
  return { tool: 'read', args: { filePath } };
}

export function writeCall(filePath: string, content: string): ToolCall {
  return { tool: 'write', args: { filePath, content } };
}

export function editCall(filePath: string, oldString: string, newString: string): ToolCall {
  return { tool: 'edit', args: { filePath, oldString, newString } };
}

/** Tool calls one after the other, then the text. */
export interface Plan {
  readonly calls: readonly ToolCall[];
  readonly text: string;
}

export type Move =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'call'; readonly call: ToolCall };

export type TimedMove = Move & { readonly delayMs?: number };

export function say(text: string): Plan {
  return { calls: [], text };
}
