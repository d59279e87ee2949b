import * as z from 'zod';

const Rates = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

/**
 * List prices of a model in US dollars for a million tokens (docs/prompt-cache.md). `tiers`: what each
 * request costs whose prompt has more than so many tokens, the smallest first. A copy is kept with each call,
 * so that a later price changes nothing of what was paid.
 */
export const ModelPrice = Rates.extend({ tiers: z.array(Rates.extend({ above: z.number() })).optional() });
export type ModelPrice = z.infer<typeof ModelPrice>;

/** Tokens of one or more requests. `output` is with reasoning. */
export interface PricedTokens {
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The tokens that no cache gave and no cache took. */
  readonly input: number;
  readonly output: number;
}

const perPrice = 1_000_000;

/** Returns the cost of these tokens in US dollars, by kind. `prompt`: each request's, for the tier. */
export function costOfTokens(price: ModelPrice, tokens: PricedTokens, prompt: number): PricedTokens {
  const rates = price.tiers?.findLast(({ above }) => prompt > above) ?? price;
  return {
    cacheRead: (tokens.cacheRead * rates.cacheRead) / perPrice,
    cacheWrite: (tokens.cacheWrite * rates.cacheWrite) / perPrice,
    input: (tokens.input * rates.input) / perPrice,
    output: (tokens.output * rates.output) / perPrice,
  };
}

/** All of it together. */
export function sumOfTokens({ cacheRead, cacheWrite, input, output }: PricedTokens): number {
  return cacheRead + cacheWrite + input + output;
}
