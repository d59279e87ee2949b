import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { OfferedModel } from '../../../domain/usage/offeredModel.ts';
import type { ModelPrice } from '../../../domain/usage/modelPrice.ts';
import { isRecord, jsonObject } from '../../../base/json.ts';
import { catalogueOf, providersByKey } from '../sandbox/providers.ts';
import type { Environment } from '../../system/commandEnvironment.ts';
import { namesAt, statAt, textAt } from '../../system/files.ts';

/** The pinned OpenCode doesn't say `structured_output`; catalogues do. */
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

/** US dollars a million tokens. `tiers`, else `experimentalOver200K`, price long prompts. */
const Cost = TokenPrices.extend({
  tiers: z.array(Tier).optional().catch(undefined),
  experimentalOver200K: TokenPrices.optional().catch(undefined),
}).transform(({ tiers, experimentalOver200K: over, ...cost }): ModelPrice | undefined => {
  // 0 where no price is known: own models, subscriptions.
  if (cost.input + cost.output === 0) return undefined;
  const known =
    tiers?.map((tier) => ({ ...pricesOf(tier), above: tier.tier.size })) ??
    (over ? [{ ...pricesOf(over), above: 200_000 }] : []);
  return {
    ...pricesOf(cost),
    ...(known.length === 0 ? {} : { tiers: known.toSorted((one, other) => one.above - other.above) }),
  };
});

/** Tokens of a cache cost as others unless it says more. */
function pricesOf({ input, output, cache }: z.infer<typeof TokenPrices>): Omit<ModelPrice, 'tiers'> {
  return { input, output, cacheRead: cache.read ?? input, cacheWrite: cache.write ?? input };
}

const Api = z.object({ id: z.string().default(''), npm: z.string().default('') }).catch({ id: '', npm: '' });

const Model = z
  .object({
    capabilities: Capabilities.default({}),
    limit: Window.optional().catch(undefined),
    cost: Cost.optional().catch(undefined),
    api: Api.default({ id: '', npm: '' }),
  })
  .catch({ capabilities: {}, limit: undefined, cost: undefined, api: { id: '', npm: '' } });

export type KnownModel = z.infer<typeof Model> & { readonly providerName?: string };

export const Providers = z.object({
  providers: z.array(
    z.object({
      id: z.string(),
      name: z.string().max(100).optional().catch(undefined),
      models: z.record(z.string(), Model),
    }),
  ),
});

/** As people choose it. */
export function offerOf(id: string, { providerName, cost, limit, capabilities }: KnownModel): OfferedModel {
  return {
    id,
    provider: providerName ?? id.slice(0, id.indexOf('/')),
    price: cost,
    // 0: unknown.
    context: limit?.context || undefined,
    usesTools: capabilities.toolcall,
  };
}

/**
 * Tells if OpenCode marks beginnings of prompts for this provider's cache; other caches need none. The rule
 * of OpenCode 1.18.33 (docs/decisions/155-stable-parts-go-ahead.md).
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

type Json = Readonly<Record<string, unknown>>;

interface CatalogueOptions {
  /** `provider`, `enabled_providers` and `disabled_providers` of it count. */
  readonly config: Json;
  readonly login: string;
  readonly env: Environment;
  readonly cache: string;
  readonly file: string;
}

const free = 'opencode';

/** Milliseconds. The person's OpenCode refreshes its catalogue at each run. */
const longestUnused = 7 * 24 * 3_600_000;

/** The whole catalogue has about three million. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Writes the catalogue's part that a server can use
 * (docs/decisions/171-servers-get-the-models-they-can-use.md): OpenCode builds all models for each folder.
 * Answers its path; undefined where OpenCode's own has to do.
 */
export async function writeServerCatalogue({
  config,
  login,
  env,
  cache,
  file,
}: CatalogueOptions): Promise<string | undefined> {
  const providers = isRecord(config['provider']) ? config['provider'] : {};
  const enabled = names(config['enabled_providers']);
  const disabled = names(config['disabled_providers']) ?? [];
  const possible = enabled ?? [
    ...Object.keys(providers),
    ...Object.keys(jsonObject(login)),
    ...providersByKey(env),
    free,
  ];
  const usable = [...new Set(possible)].filter((id) => !disabled.includes(id));
  const known = await newestCatalogue(cache, env);
  if (!known && !usable.every((id) => isDescribed(providers[id]))) return undefined;
  const part = Object.fromEntries(
    usable.flatMap((id) => (known?.[id] === undefined ? [] : [[id, known[id]]])),
  );
  await writeFile(file, JSON.stringify(part), { mode: 0o600 });
  return file;
}

function isDescribed(provider: unknown): boolean {
  if (!isRecord(provider) || typeof provider['npm'] !== 'string') return false;
  const { options, models } = provider;
  const address = isRecord(options) ? options['baseURL'] : undefined;
  return typeof address === 'string' && isRecord(models) && Object.keys(models).length > 0;
}

function names(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}

async function newestCatalogue(cache: string, env: Environment): Promise<Json | undefined> {
  const own = join(cache, 'opencode');
  const fetched = (await namesAt(own)).filter((name) => /^models(-\w+)?\.json$/.test(name));
  const person = catalogueOf(env);
  const found: { readonly path: string; readonly at: number }[] = [];
  for (const path of [...fetched.map((name) => join(own, name)), person]) {
    const file = await statAt(path);
    const isStale = path === person && file !== undefined && Date.now() - file.mtimeMs > longestUnused;
    if (file?.isFile() && file.size <= maxBytes && !isStale) found.push({ path, at: file.mtimeMs });
  }
  for (const { path } of found.toSorted((one, other) => other.at - one.at)) {
    const catalogue = jsonObject(await textAt(path));
    if (Object.keys(catalogue).length > 0) return catalogue;
  }
  return undefined;
}
