import * as z from 'zod';
import type { Usage } from './promptPlan.ts';
import { costOfTokens, type ModelPrice, type PricedTokens, sumOfTokens } from './modelPrice.ts';

/**
 * A call's cost in US dollars (docs/prompt-cache.md). Parts, `frame` (the first request beyond parts),
 * `later` (further requests) and `output` add up to `total`, which is OpenCode's, or the list price
 * (`isListPrice`).
 */
export const CallCost = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  frame: z.number(),
  later: z.number(),
  total: z.number(),
  isListPrice: z.boolean(),
});
export type CallCost = Readonly<z.infer<typeof CallCost>>;

/** In the first request; null without a price. */
interface PartShare {
  readonly tokens: Omit<PricedTokens, 'output'>;
  readonly cost: number | null;
}

/** `frame`: tokens beyond the parts; may be negative. */
interface CallShares {
  readonly parts: readonly PartShare[];
  readonly frame: Omit<PricedTokens, 'output'>;
  readonly cost: CallCost | null;
}

/**
 * A first request's use by part, from the front: cached, then newly cached, then the rest. Tokens beyond the
 * parts come before them. Null without a provider's report. `tokens`: estimates in sending order.
 */
export function callShares(
  tokens: readonly number[],
  usage: Usage,
  price: ModelPrice | undefined,
): CallShares | null {
  const { first } = usage;
  if (!first || usage.estimated === true) return null;
  const size = usage.input + usage.cacheRead + usage.cacheWrite;
  const isOnly = first.prompt === size;
  const write = Math.min(isOnly ? usage.cacheWrite : (first.cacheWrite ?? 0), first.prompt - first.cacheRead);
  const sent: PricedTokens = {
    cacheRead: first.cacheRead,
    cacheWrite: write,
    input: first.prompt - first.cacheRead - write,
    output: 0,
  };
  const counted = tokens.reduce((sum, one) => sum + one, 0);
  let at = Math.max(0, first.prompt - counted);
  const laid = tokens.map((one) => {
    const from = at;
    at += one;
    const cacheRead = overlap(from, at, 0, sent.cacheRead);
    const cacheWrite = overlap(from, at, sent.cacheRead, sent.cacheRead + write);
    return { cacheRead, cacheWrite, input: one - cacheRead - cacheWrite };
  });
  const rest = (pick: (one: PartShare['tokens']) => number): number =>
    pick(sent) - laid.reduce((sum, one) => sum + pick(one), 0);
  const frame = {
    cacheRead: rest((one) => one.cacheRead),
    cacheWrite: rest((one) => one.cacheWrite),
    input: rest((one) => one.input),
  };
  if (!price) return { parts: laid.map((one) => ({ tokens: one, cost: null })), frame, cost: null };
  const costs = laid.map((one) => sumOfTokens(costOfTokens(price, { ...one, output: 0 }, first.prompt)));
  const cost = costOfCall(usage, { price, isOnly, sent, parts: costs.reduce((sum, one) => sum + one, 0) });
  return { parts: laid.map((one, index) => ({ tokens: one, cost: costs[index] ?? 0 })), frame, cost };
}

interface Priced {
  readonly price: ModelPrice;
  readonly isOnly: boolean;
  readonly sent: PricedTokens;
  readonly parts: number;
}

function costOfCall(usage: Usage, { price, isOnly, sent, parts }: Priced): CallCost {
  const { cacheRead, cacheWrite, input, output, reasoning } = usage;
  const prompt = sent.cacheRead + sent.cacheWrite + sent.input;
  // Later requests' sizes aren't kept; the first is the smallest.
  const whole = costOfTokens(price, { cacheRead, cacheWrite, input, output: output + reasoning }, prompt);
  const isListPrice = usage.cost <= 0;
  const total = isListPrice ? sumOfTokens(whole) : usage.cost;
  const firstPrompt = isOnly ? total - whole.output : sumOfTokens(costOfTokens(price, sent, prompt));
  const frame = firstPrompt - parts;
  const later = isOnly ? 0 : total - whole.output - firstPrompt;
  return { ...whole, frame, later, total, isListPrice };
}

function overlap(from: number, to: number, start: number, end: number): number {
  return Math.max(0, Math.min(to, end) - Math.max(from, start));
}
