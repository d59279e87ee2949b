import assert from 'node:assert/strict';
import { providersThatMiss } from '../../../../src/domain/promptCache/providersThatMiss.ts';

const call = (member: string, providerMisses: number, reported: unknown = {}) => ({
  member,
  providerMisses,
  reported,
  predicted: { tokens: 20 },
});

describe('providers that miss', () => {
  it('AT-7: are told after three misses in a row of a model, until the provider gives something again', () => {
    const three = [call('a/one', 1), call('a/one', 2), call('a/one', 3)];
    assert.deepEqual(providersThatMiss(three.slice(0, 2)), []);
    const among = [...three, call('a/one', 0, null), call('b/two', 1)];
    assert.deepEqual(providersThatMiss(among), [{ member: 'a/one', misses: 3 }], 'what is unknown ends no row');
    assert.deepEqual(providersThatMiss([...three, call('a/one', 0)]), []);
  });
});
