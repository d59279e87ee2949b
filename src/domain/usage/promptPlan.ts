import * as z from 'zod';
import { Sha256 } from '../core/ids.ts';
import { ModelPrice } from './modelPrice.ts';

/**
 * The permissions of an agent in a session (docs/decisions/035-tool-policies-and-agents.md). Each policy is
 * an OpenCode agent of its own, so that a denied tool isn't even offered. `disabled`: no tool. `read_only`:
 * read files. `default`: edit and run commands, no web. `execution_setup_online`: the same and the web.
 */
export const ToolPolicy = z.enum(['disabled', 'read_only', 'default', 'execution_setup_online']);
export type ToolPolicy = z.infer<typeof ToolPolicy>;

/** One part of a prompt: a slice the table allows, or a section of the task's own. Tokens are estimates. */
export const PromptPart = z.object({
  name: z.string(),
  kind: z.enum(['slice', 'section']),
  /** 0 fixed for the ticket, 1 for the bead, 2 per attempt, 3 per call. */
  stability: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** It changes too often, and stands a class later (docs/decisions/154-order-by-last-change.md). */
  demoted: z.boolean().optional(),
  /** Wanted whole, over budget too (docs/decisions/157-people-choose-what-later-prompts-hold.md). */
  pinned: z.boolean().optional(),
  content: z.string(),
  tokens: z.number().int().nonnegative(),
});
export type PromptPart = z.infer<typeof PromptPart>;

/** A change to a part so that the prompt fits its budget. */
export const Reduction = z.object({
  name: z.string(),
  /** `excluded`: by a person. */
  action: z.enum(['shrunk', 'dropped', 'excluded']),
  tokensBefore: z.number().int(),
  tokensAfter: z.number().int(),
});
export type Reduction = z.infer<typeof Reduction>;

/** The ordered whole of one model call, without the bodies: those are kept by hash. Stored for every call. */
export const PromptPlan = z.object({
  schema_version: z.literal(1),
  contextKey: z.string(),
  prompt: z.string(),
  promptSha256: Sha256,
  /** The SHA-256 of the person's own prompt file (docs/decisions/100-own-prompts.md). */
  override: Sha256.optional(),
  policy: ToolPolicy,
  model: z.string(),
  budget: z.number().int(),
  tokens: z.number().int(),
  /** In the order in which they were sent. */
  parts: z.array(PromptPart.omit({ content: true }).extend({ sha256: Sha256 })),
  /** The task's text, before the part with this number. Absent in older plans. */
  instructions: z.object({ at: z.number().int(), tokens: z.number().int(), sha256: Sha256 }).optional(),
  /** The number of parts that went ahead, with any instructions before them. Absent where none did. */
  ahead: z.number().int().optional(),
  reductions: z.array(Reduction),
  /** The model's price when it was asked. Absent if it isn't known. */
  price: ModelPrice.optional(),
  /** The provider's count of tokens ÷ our estimate, with the earlier calls of the model. */
  calibration: z.number().optional(),
});
export type PromptPlan = z.infer<typeof PromptPlan>;

/**
 * Tokens of one model message, as reported. `input + cacheRead + cacheWrite` is the prompt's size. Cost in US
 * dollars. `estimated`: the provider reported nothing, so the texts were counted.
 */
export const Usage = z.object({
  messageId: z.string(),
  model: z.string(),
  input: z.number().int(),
  output: z.number().int(),
  reasoning: z.number().int(),
  cacheRead: z.number().int(),
  cacheWrite: z.number().int(),
  cost: z.number(),
  estimated: z.boolean().optional(),
  /** The first request, which alone shows the cache. Each tool call makes one more, with all before it. */
  first: z
    .object({
      prompt: z.number().int(),
      cacheRead: z.number().int(),
      cacheWrite: z.number().int().optional(),
    })
    .optional(),
});
export type Usage = z.infer<typeof Usage>;

/** The facts about a model in OpenCode's catalogue; those that it doesn't give are absent. */
export interface ModelFacts {
  readonly window?: ModelWindow | undefined;
  readonly price?: ModelPrice | undefined;
}

/** The tokens that a model takes in one request, and how many of them it can answer. 0: unknown. */
export interface ModelWindow {
  readonly context: number;
  readonly output: number;
}
