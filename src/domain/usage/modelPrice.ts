import * as z from 'zod';

const Rates = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

/**
 * A model's list prices in US dollars per million tokens (docs/prompt-cache.md), copied to each call.
 * `tiers`: for longer prompts, the smallest first.
 */
export const ModelPrice = Rates.extend({ tiers: z.array(Rates.extend({ above: z.number() })).optional() });
export type ModelPrice = z.infer<typeof ModelPrice>;

/** Tokens of requests. `output` includes reasoning. */
export interface PricedTokens {
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Neither read from nor written to a cache. */
  readonly input: number;
  readonly output: number;
}

const perPrice = 1_000_000;

/** Cost in US dollars, by kind. `prompt`: each request's, for the tier. */
export function costOfTokens(price: ModelPrice, tokens: PricedTokens, prompt: number): PricedTokens {
  const rates = price.tiers?.findLast(({ above }) => prompt > above) ?? price;
  return {
    cacheRead: (tokens.cacheRead * rates.cacheRead) / perPrice,
    cacheWrite: (tokens.cacheWrite * rates.cacheWrite) / perPrice,
    input: (tokens.input * rates.input) / perPrice,
    output: (tokens.output * rates.output) / perPrice,
  };
}

/** All kinds together. */
export function sumOfTokens({ cacheRead, cacheWrite, input, output }: PricedTokens): number {
  return cacheRead + cacheWrite + input + output;
}
