import type { ModelPrices, Usage } from '../promptPlan.ts';

/**
 * What one answer cost, in US dollars, and of that each part of its prompt. `frame` is what the parts don't explain: the tools, the agent's text, and what
 * our count of tokens differs by. `later` is what the requests after the first one were sent, one for each time the model used tools. `parts`, `frame`,
 * `later` and `output` together are `total`.
 */
export interface CallCost {
  readonly parts: readonly number[];
  readonly frame: number;
  readonly later: number;
  readonly output: number;
  readonly total: number;
  /** Whether the total is the list price, because the provider's own figure isn't known. */
  readonly isListPrice: boolean;
}

const million = 1_000_000;

/**
 * What an answer cost by the prices that held when it was asked for (docs/prompt-cache.md). What the cache gave is laid over the parts from the front,
 * behind it what the cache took, and the rest has the price of input. Undefined where no price or no usage is known: nothing is ever free for that reason.
 *
 * `tokens`: those of the parts, in the order in which they were sent.
 */
export function callCost(tokens: readonly number[], usage: Usage, known: ModelPrices | undefined): CallCost | undefined {
  if (!known || usage.estimated === true) return undefined;
  const first = firstRequest(usage);
  const prices = pricesFor(known, first.prompt);
  const output = ((usage.output + usage.reasoning) * prices.output) / million;
  const list = output + inputCost(usage, prices);
  const isListPrice = usage.cost === 0;
  const total = isListPrice ? list : usage.cost;
  const costs = partCosts(tokens, first, prices);
  const inParts = costs.reduce((sum, cost) => sum + cost, 0);
  if (first.isOnly) return { parts: costs, frame: total - output - inParts, later: 0, output, total, isListPrice };
  const frame = inputCost({ ...first, input: first.prompt - first.cacheRead - first.cacheWrite }, prices) - inParts;
  return { parts: costs, frame, later: total - output - inParts - frame, output, total, isListPrice };
}

interface FirstRequest {
  readonly prompt: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly isOnly: boolean;
}

function firstRequest({ first, input, cacheRead, cacheWrite }: Usage): FirstRequest {
  const all = { prompt: input + cacheRead + cacheWrite, cacheRead, cacheWrite };
  if (!first || first.prompt === all.prompt) return { ...all, isOnly: true };
  return { ...first, cacheWrite: first.cacheWrite ?? 0, isOnly: false };
}

/** A long prompt has prices of its own, by the highest bound that it exceeds. */
function pricesFor({ above = [], ...prices }: ModelPrices, prompt: number): Omit<ModelPrices, 'above'> {
  const [highest] = above.filter(({ tokens }) => prompt > tokens).toSorted((one, other) => other.tokens - one.tokens);
  return highest ?? prices;
}

function inputCost(
  used: Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite'>,
  { input, cacheRead, cacheWrite }: Omit<ModelPrices, 'above'>,
): number {
  return (used.input * input + used.cacheRead * cacheRead + used.cacheWrite * cacheWrite) / million;
}

function partCosts(
  tokens: readonly number[],
  { prompt, cacheRead, cacheWrite }: FirstRequest,
  prices: Omit<ModelPrices, 'above'>,
): readonly number[] {
  const counted = tokens.reduce((sum, one) => sum + one, 0);
  // What nobody counted stands before the parts.
  let from = Math.max(0, prompt - counted);
  return tokens.map((one) => {
    const to = from + one;
    const read = within(from, to, 0, cacheRead);
    const written = within(from, to, cacheRead, cacheRead + cacheWrite);
    from = to;
    return inputCost({ input: one - read - written, cacheRead: read, cacheWrite: written }, prices);
  });
}

/** How much of one range lies in another. */
function within(from: number, to: number, start: number, end: number): number {
  return Math.max(0, Math.min(to, end) - Math.max(from, start));
}
