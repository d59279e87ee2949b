import * as z from 'zod';
import type { ModelPrice } from '../../../domain/usage/modelPrice.ts';

/** The pinned OpenCode doesn't say `structured_output`; model catalogues do, and later versions may. */
const Capabilities = z.object({ toolcall: z.boolean().optional(), structured_output: z.boolean().optional() }).catch({});

const Window = z.object({ context: z.number().min(0), output: z.number().min(0).default(0) });

const Price = z.number().nonnegative();
const TokenPrices = z.object({
  input: Price,
  output: Price,
  cache: z.object({ read: Price.optional(), write: Price.optional() }).default({}),
});
const Tier = TokenPrices.extend({ tier: z.object({ type: z.literal('context'), size: z.number().int().positive() }) });

/** US dollars a million tokens. `tiers`, and before them `experimentalOver200K`, are the prices of long prompts. */
const Cost = TokenPrices.extend({
  tiers: z.array(Tier).optional().catch(undefined),
  experimentalOver200K: TokenPrices.optional().catch(undefined),
}).transform(({ tiers, experimentalOver200K: over, ...cost }): ModelPrice | undefined => {
  // A catalogue says 0 where it knows no price, as for models of one's own and those of a subscription.
  if (cost.input + cost.output === 0) return undefined;
  const known =
    tiers?.map((tier) => ({ ...pricesOf(tier), above: tier.tier.size })) ?? (over ? [{ ...pricesOf(over), above: 200_000 }] : []);
  return { ...pricesOf(cost), ...(known.length === 0 ? {} : { tiers: known.toSorted((one, other) => one.above - other.above) }) };
});

/** What a cache gives or takes costs as much as any other token, where nothing else is said. */
function pricesOf({ input, output, cache }: z.infer<typeof TokenPrices>): Omit<ModelPrice, 'tiers'> {
  return { input, output, cacheRead: cache.read ?? input, cacheWrite: cache.write ?? input };
}

const Model = z
  .object({ capabilities: Capabilities.default({}), limit: Window.optional().catch(undefined), cost: Cost.optional().catch(undefined) })
  .catch({ capabilities: {}, limit: undefined, cost: undefined });

/** What the catalogue says of a model. */
export type KnownModel = z.infer<typeof Model>;

/** The catalogue: the models of each provider, by their names. */
export const Providers = z.object({ providers: z.array(z.object({ id: z.string(), models: z.record(z.string(), Model) })) });
