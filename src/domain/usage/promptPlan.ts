import * as z from 'zod';
import { Sha256 } from '../core/ids.ts';
import { ModelPrice } from './modelPrice.ts';

/**
 * An agent's permissions (docs/decisions/035-tool-policies-and-agents.md): each policy is an OpenCode agent,
 * so a denied tool isn't offered. `disabled`: no tool. `default`: edit and run commands, no web.
 * `execution_setup_online`: with web.
 */
export const ToolPolicy = z.enum(['disabled', 'read_only', 'default', 'execution_setup_online']);
export type ToolPolicy = z.infer<typeof ToolPolicy>;

/** A prompt's part: a slice, or a task's section. Tokens are estimates. */
export const PromptPart = z.object({
  name: z.string(),
  kind: z.enum(['slice', 'section']),
  /** 0 fixed for the ticket, 1 for the bead, 2 per attempt, 3 per call. */
  stability: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** Often changed, so a class later (docs/decisions/154-order-by-last-change.md). */
  demoted: z.boolean().optional(),
  /** Whole, even over budget (docs/decisions/157-people-choose-what-later-prompts-hold.md). */
  pinned: z.boolean().optional(),
  content: z.string(),
  tokens: z.number().int().nonnegative(),
});
export type PromptPart = z.infer<typeof PromptPart>;

/** A part's change to fit the budget. */
export const Reduction = z.object({
  name: z.string(),
  /** `excluded`: by a person. */
  action: z.enum(['shrunk', 'dropped', 'excluded']),
  tokensBefore: z.number().int(),
  tokensAfter: z.number().int(),
});
export type Reduction = z.infer<typeof Reduction>;

/** A model call's ordered parts, without bodies, which are kept by hash. */
export const PromptPlan = z.object({
  schema_version: z.literal(1),
  contextKey: z.string(),
  prompt: z.string(),
  promptSha256: Sha256,
  /** Of the person's prompt file (docs/decisions/100-own-prompts.md). */
  override: Sha256.optional(),
  policy: ToolPolicy,
  model: z.string(),
  budget: z.number().int(),
  tokens: z.number().int(),
  parts: z.array(PromptPart.omit({ content: true }).extend({ sha256: Sha256 })),
  /** Before the part with this number; absent in older plans. */
  instructions: z.object({ at: z.number().int(), tokens: z.number().int(), sha256: Sha256 }).optional(),
  /** The number of parts sent ahead, with earlier instructions; absent without any. */
  ahead: z.number().int().optional(),
  reductions: z.array(Reduction),
  price: ModelPrice.optional(),
  /** Provider's count ÷ our estimate, with the model's earlier calls. */
  calibration: z.number().optional(),
});
export type PromptPlan = z.infer<typeof PromptPlan>;

/**
 * A message's reported tokens; the prompt's are `input + cacheRead + cacheWrite`. Cost in US dollars.
 * `estimated`: unreported, so counted from texts.
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
  /** The first request, which alone shows the cache; tool calls repeat all before them. */
  first: z
    .object({
      prompt: z.number().int(),
      cacheRead: z.number().int(),
      cacheWrite: z.number().int().optional(),
    })
    .optional(),
});
export type Usage = z.infer<typeof Usage>;

/** A model's facts in OpenCode's catalogue, if given. */
export interface ModelFacts {
  readonly window?: ModelWindow | undefined;
  readonly price?: ModelPrice | undefined;
}

/** Tokens of a request, and of an answer. 0: unknown. */
export interface ModelWindow {
  readonly context: number;
  readonly output: number;
}
