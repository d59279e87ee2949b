import assert from 'node:assert/strict';
import { missesText, providersThatMiss } from '../../../../src/domain/promptCache/providersThatMiss.ts';

const call = (member: string, providerMisses: number, reported: unknown = {}) => ({
  member,
  endedAt: 100 * providerMisses,
  providerMisses,
  reported,
  predicted: { tokens: 20 },
});

describe('providers that miss', () => {
  it('AT-7: are told after three misses in a row of a model, until the provider gives something again', () => {
    const three = [call('a/one', 1), call('a/one', 2), call('a/one', 3)];
    assert.deepEqual(providersThatMiss(three.slice(0, 2)), []);
    const among = [...three, call('a/one', 0, null), call('b/two', 1)];
    assert.deepEqual(
      providersThatMiss(among),
      [{ member: 'a/one', misses: 3, since: 300 }],
      'what is unknown ends no row',
    );
    assert.deepEqual(providersThatMiss([...three, call('a/one', 4)]), [
      { member: 'a/one', misses: 4, since: 300 },
    ]);
    assert.deepEqual(providersThatMiss([...three, call('a/one', 0)]), []);
  });

  it('are told with the model, how often, and what to do', () => {
    const text = missesText({ member: 'a/$&one', misses: 4 });
    assert.match(
      text,
      /^The provider of a\/\$&one reported no cache hits for 4 consecutive calls .*\. Check that caching is on for this model/,
    );
  });
});
