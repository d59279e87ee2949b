import { parseMember } from '../council.ts';

/**
 * How a provider keeps the beginning of prompts (docs/prompt-cache.md). `automatic`: by itself. `breakpoints`: up to marks that OpenCode sets. `unknown`:
 * nobody can say, so that nothing is predicted. `minimum` and `step` in tokens: less isn't kept, and more only in whole steps. `lifeMs`: how long after its last
 * use a beginning is kept, milliseconds.
 */
export interface CacheProfile {
  readonly kind: 'automatic' | 'breakpoints' | 'unknown';
  readonly minimum: number;
  readonly step: number;
  readonly lifeMs: number;
}

const minutes = 60_000;
const unknown: CacheProfile = { kind: 'unknown', minimum: 0, step: 1, lifeMs: 0 };
const automatic: CacheProfile = { kind: 'automatic', minimum: 1_024, step: 128, lifeMs: 5 * minutes };
const breakpoints: CacheProfile = { kind: 'breakpoints', minimum: 1_024, step: 1, lifeMs: 5 * minutes };

/** By the provider's id in OpenCode, then by what its models are called. Where the two differ, a model of a gateway is kept as its maker keeps it. */
const profiles: readonly { readonly provider: RegExp; readonly model: RegExp; readonly profile: CacheProfile }[] = [
  // The newest models of the maker keep no beginning of less than 4,096 tokens.
  {
    provider: /^(anthropic|amazon-bedrock|google-vertex-anthropic|openrouter)$/,
    model: /(opus|haiku)-4-?[5-9]/,
    profile: { ...breakpoints, minimum: 4_096 },
  },
  { provider: /^(anthropic|amazon-bedrock|google-vertex-anthropic|openrouter)$/, model: /claude/, profile: breakpoints },
  { provider: /^(openai|azure|deepseek|github-copilot)$/, model: /./, profile: automatic },
  { provider: /^openrouter$/, model: /^(openai|deepseek)\//, profile: automatic },
];

/** The profile of a model, given as `provider/model`, with or without a variant. */
export function cacheProfile(member: string): CacheProfile {
  const { provider, model } = parseMember(member);
  return profiles.find((row) => row.provider.test(provider) && row.model.test(model))?.profile ?? unknown;
}
