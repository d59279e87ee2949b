import * as z from 'zod';
import { HitState } from '../../domain/promptCache/cacheHistory.ts';
import { CallCost } from '../../domain/usage/callCost.ts';
import { UsageSums } from '../../domain/usage/usageLedger.ts';
import { CallView } from '../inspection.ts';

const Label = z.string();

/** `changedAt`: when its content was first as it is, milliseconds since 1970. */
const Part = z.object({
  name: z.string(),
  kind: Label,
  /** The reason why it is in this prompt. */
  included: Label,
  /** 0 fixed for the ticket, 1 for the bead, 2 per attempt, 3 per call; null for what has no class. */
  stability: z.number().int().nullable(),
  tokens: z.number().int(),
  hash: z.string(),
  changedAt: z.number(),
  predicted: HitState,
  reported: HitState,
  /** US dollars; null where no price or no usage is known. */
  cost: z.number().nullable(),
});

/** The parts of a prompt in the order sent; what was predicted and what was reported stay apart. */
export const InspectedPrompt = z.object({
  parts: z.array(Part),
  /** Tokens that the provider counted and no part holds; null until it reported. */
  frameTokens: z.number().int().nullable(),
  budget: z.number().int(),
  /** US dollars. The parts, `frame`, `later` (after tool calls) and `output` add up to `total`. */
  cost: CallCost.nullable(),
  /** Estimates for this model: the factor before this call, and its relative error. */
  calibration: z.object({ factor: z.number(), lastError: z.number().nullable() }).nullable(),
  /** Null where nothing can be predicted, or nothing was reported. */
  predicted: z.number().int().nullable(),
  reported: z.object({ prompt: z.number().int(), cacheRead: z.number().int() }).nullable(),
  /** The reason why no more can have been in a cache; empty: nothing to say. */
  why: Label,
  warning: Label,
  reductions: z.array(Label),
  /** People's decisions about parts of later prompts. */
  decided: z.array(Label),
  /** Parts that aren't in it, by reason. */
  left: z.array(z.object({ reason: Label, names: z.array(z.string()) })),
  /** Calls to compare with: those before it, the last one first, then those after it. */
  others: z.array(z.object({ id: z.string(), label: Label })),
});
/** The data of a prompt's table. */
export type InspectedPrompt = z.infer<typeof InspectedPrompt>;

/** With all requests of the call. `estimated`: the provider reported nothing. */
const BeadCall = UsageSums.pick({ cacheRead: true, cacheWrite: true, input: true, output: true }).extend(
  CallView.pick({ id: true, prompt: true, startedAt: true }).extend({
    iteration: z.number().int(),
    estimated: z.boolean(),
  }).shape,
);
/** The calls of a bead, oldest first; `total`: how many there are. */
export const BeadCalls = z.object({ bead: z.string(), calls: z.array(BeadCall), total: z.number().int() });
/** The data of a bead's bars. */
export type BeadCalls = z.infer<typeof BeadCalls>;
