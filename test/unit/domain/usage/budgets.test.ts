import assert from 'node:assert/strict';
import { broughtNear, capUses, isNear, type Used } from '../../../../src/domain/usage/capUse.ts';

const used = (input: number, cents = 0, minutes = 0): Used => ({
  usage: [{ messageId: 'm', model: 'a', input, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, cost: cents / 100 }],
  activeMs: minutes * 60_000,
});

describe('what a ticket used of its limits', () => {
  const caps = { tokenCap: 1_000, costCap: 50, timeCap: 10 };

  it('is near from seven tenths on, and of limits that it has', () => {
    const near = (...amounts: Parameters<typeof used>): readonly string[] =>
      capUses(caps, used(...amounts))
        .filter(isNear)
        .map(({ kind }) => kind);
    assert.deepEqual(near(699, 34.9, 6.9), []);
    assert.deepEqual(near(700, 34.9, 6.9), ['tokens']);
    assert.deepEqual(near(0, 0, 7), ['minutes']);
    assert.deepEqual(near(2_000, 36, 11), ['tokens', 'cents', 'minutes']);
    assert.deepEqual(capUses({ tokenCap: 0, costCap: 0, timeCap: 0 }, used(5, 5, 5)), []);
  });

  it('is told once, with what brought it near', () => {
    assert.deepEqual(broughtNear(caps, used(100), used(699)), []);
    assert.deepEqual(broughtNear(caps, used(100), used(700)), [{ kind: 'tokens', used: 700, cap: 1_000 }]);
    assert.deepEqual(broughtNear(caps, used(700), used(800)), []);
    assert.deepEqual(broughtNear(caps, used(0, 0, 6), used(0, 0, 8)), [{ kind: 'minutes', used: 8, cap: 10 }]);
  });
});
