import * as z from 'zod';
import { escaped } from '../../base/privatePlaces.ts';
import { parseMember } from '../council/council.ts';

/**
 * A provider's caching (docs/prompt-cache.md). `breakpoints`: up to OpenCode's marks. `unknown`: nothing is
 * predicted. `minimum` and `step` in tokens; `lifeMs` since its last use.
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

/** A gateway keeps a model as its maker does. */
const profiles: readonly {
  readonly provider: RegExp;
  readonly model: RegExp;
  readonly profile: CacheProfile;
}[] = [
  // Its newest models keep no beginning under 4,096 tokens.
  {
    provider: /^(anthropic|amazon-bedrock|google-vertex-anthropic|openrouter)$/,
    model: /(opus|haiku)-4-?[5-9]/,
    profile: { ...breakpoints, minimum: 4_096 },
  },
  {
    provider: /^(anthropic|amazon-bedrock|google-vertex-anthropic|openrouter)$/,
    model: /claude/,
    profile: breakpoints,
  },
  { provider: /^(openai|azure|deepseek|github-copilot)$/, model: /./, profile: automatic },
  { provider: /^openrouter$/, model: /^(openai|deepseek)\//, profile: automatic },
];

/** The file of own profiles in the repository's state folder. */
export const ownProfilesFile = 'cache-profiles.yaml';

const seconds = 1_000;
/** More would take long and mean nothing more. */
const mostWildcards = 5;

/**
 * A person's profiles (docs/prompt-cache.md), which precede ours; the first match counts. `model`:
 * `provider/model` with `*`. `life` in seconds.
 */
export const OwnProfiles = z.strictObject({
  profiles: z
    .array(
      z
        .strictObject({
          model: z
            .string()
            .min(1)
            .max(200)
            .refine(
              (pattern) => pattern.split('*').length - 1 <= mostWildcards,
              `At most ${String(mostWildcards)} asterisks are allowed.`,
            ),
          kind: z.enum(['automatic', 'breakpoints', 'unknown']),
          minimum: z.number().int().min(0).max(1_000_000).default(automatic.minimum),
          step: z.number().int().min(1).max(1_000_000).default(1),
          life: z.number().int().min(1).max(604_800).default(300),
        })
        .transform(({ model, life, ...profile }) => ({
          model,
          profile: { ...profile, lifeMs: life * seconds },
        })),
    )
    .max(100),
});
/** One of them. */
export type OwnProfile = z.infer<typeof OwnProfiles>['profiles'][number];

/** A model's profile, by `provider/model` with or without variant. */
export function cacheProfile(member: string, own: readonly OwnProfile[] = []): CacheProfile {
  const { provider, model } = parseMember(member);
  const written = own.find((one) => fits(one.model, `${provider}/${model}`));
  if (written) return written.profile;
  return profiles.find((row) => row.provider.test(provider) && row.model.test(model))?.profile ?? unknown;
}

function fits(pattern: string, member: string): boolean {
  const source = pattern.split('*').map(escaped);
  return new RegExp(`^${source.join('.*')}$`, 's').test(member);
}
