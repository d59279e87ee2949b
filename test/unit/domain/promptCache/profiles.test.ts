import assert from 'node:assert/strict';
import { cacheProfile, OwnProfiles } from '../../../../src/domain/promptCache/profiles.ts';

const own = (...profiles: readonly object[]) => OwnProfiles.parse({ profiles }).profiles;

describe('profiles of caches that a person wrote down', () => {
  it('stand before those that ship, the first that fits', () => {
    const written = own(
      { model: 'proxy/claude-*', kind: 'breakpoints', minimum: 2_048, life: 3_600 },
      { model: 'openai/*', kind: 'unknown' },
      { model: '*', kind: 'automatic', step: 64 },
    );
    assert.deepEqual(cacheProfile('proxy/claude-x', written), {
      kind: 'breakpoints',
      minimum: 2_048,
      step: 1,
      lifeMs: 3_600_000,
    });
    assert.equal(cacheProfile('openai/gpt', written).kind, 'unknown');
    assert.deepEqual(cacheProfile('proxy/other#high', written), {
      kind: 'automatic',
      minimum: 1_024,
      step: 64,
      lifeMs: 300_000,
    });
    assert.equal(cacheProfile('openai/gpt').kind, 'automatic', 'without any, what ships holds');
  });

  it('compare signs as they are: only an asterisk stands for anything', () => {
    const written = own({ model: 'a.b/c+(d)', kind: 'automatic' });
    assert.equal(cacheProfile('a.b/c+(d)', written).kind, 'automatic');
    assert.equal(cacheProfile('axb/c+(d)', written).kind, 'unknown');
    assert.equal(cacheProfile('a.b/c+(d)e', written).kind, 'unknown');
  });

  it('are refused with what is wrong and where', () => {
    for (const [profile, problem] of [
      [{ model: 'a/*', kind: 'sometimes' }, 'profiles.0.kind'],
      [{ model: '******', kind: 'automatic' }, 'profiles.0.model'],
      [{ model: 'a/b', kind: 'automatic', life: 0 }, 'profiles.0.life'],
      [{ model: 'a/b', kind: 'automatic', ttl: 5 }, 'profiles.0'],
    ] as const) {
      const { error } = OwnProfiles.safeParse({ profiles: [profile] });
      assert.equal(error?.issues[0]?.path.join('.'), problem);
    }
  });
});
