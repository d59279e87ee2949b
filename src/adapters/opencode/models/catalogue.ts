import * as z from 'zod';
import type { ModelPrice } from '../../../domain/usage/modelPrice.ts';

/** The pinned OpenCode doesn't say `structured_output`; model catalogues do, and later versions may. */
const Capabilities = z
  .object({ toolcall: z.boolean().optional(), structured_output: z.boolean().optional() })
  .catch({});

const Window = z.object({ context: z.number().min(0), output: z.number().min(0).default(0) });

const Price = z.number().nonnegative();
const TokenPrices = z.object({
  input: Price,
  output: Price,
  cache: z.object({ read: Price.optional(), write: Price.optional() }).default({}),
});
const Tier = TokenPrices.extend({
  tier: z.object({ type: z.literal('context'), size: z.number().int().positive() }),
});

/**
 * US dollars a million tokens. `tiers`, and before them `experimentalOver200K`, are the prices of long
 * prompts.
 */
const Cost = TokenPrices.extend({
  tiers: z.array(Tier).optional().catch(undefined),
  experimentalOver200K: TokenPrices.optional().catch(undefined),
}).transform(({ tiers, experimentalOver200K: over, ...cost }): ModelPrice | undefined => {
  // A catalogue says 0 where it knows no price, as for models of one's own and those of a subscription.
  if (cost.input + cost.output === 0) return undefined;
  const known =
    tiers?.map((tier) => ({ ...pricesOf(tier), above: tier.tier.size })) ??
    (over ? [{ ...pricesOf(over), above: 200_000 }] : []);
  return {
    ...pricesOf(cost),
    ...(known.length === 0 ? {} : { tiers: known.toSorted((one, other) => one.above - other.above) }),
  };
});

/**
 * Returns a model's prices. Tokens that a cache gives or takes cost as much as any others, where nothing else
 * is said.
 */
function pricesOf({ input, output, cache }: z.infer<typeof TokenPrices>): Omit<ModelPrice, 'tiers'> {
  return { input, output, cacheRead: cache.read ?? input, cacheWrite: cache.write ?? input };
}

/** The name that the provider knows the model by, and the package that speaks to it. */
const Api = z.object({ id: z.string().default(''), npm: z.string().default('') }).catch({ id: '', npm: '' });

const Model = z
  .object({
    capabilities: Capabilities.default({}),
    limit: Window.optional().catch(undefined),
    cost: Cost.optional().catch(undefined),
    api: Api.default({ id: '', npm: '' }),
  })
  .catch({ capabilities: {}, limit: undefined, cost: undefined, api: { id: '', npm: '' } });

/** A model as the catalogue has it. */
export type KnownModel = z.infer<typeof Model>;

/** The catalogue: the models of each provider, by their names. */
export const Providers = z.object({
  providers: z.array(z.object({ id: z.string(), models: z.record(z.string(), Model) })),
});

/**
 * Tells if OpenCode marks the beginnings of prompts that this provider's cache is to keep. Others keep them
 * by themselves, or not at all. The rule is that of OpenCode 1.18.33
 * (docs/decisions/155-stable-parts-go-ahead.md).
 */
export function marksBeginnings(
  { provider, model }: { readonly provider: string; readonly model: string },
  { api }: KnownModel,
): boolean {
  if (api.npm === '@ai-sdk/gateway') return false;
  const isNamed = [model, api.id].some((name) => name.includes('anthropic') || name.includes('claude'));
  return (
    isNamed ||
    ['anthropic', 'google-vertex-anthropic'].includes(provider) ||
    ['@ai-sdk/anthropic', '@ai-sdk/alibaba'].includes(api.npm)
  );
}
