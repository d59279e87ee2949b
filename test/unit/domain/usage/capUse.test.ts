import assert from 'node:assert/strict';
import { broughtNear, capUses, isNear } from '../../../../src/domain/usage/capUse.ts';

const usage = (input: number, cost: number) => ({
  ...{ messageId: 'm', model: 'a', output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  ...{ input, cost },
});

describe('what a ticket used of its limits', () => {
  const caps = { tokenCap: 1_000, costCap: 50 };

  it('is near from seven tenths on, and of limits that it has', () => {
    const near = (tokens: number, cents: number): readonly string[] =>
      capUses(caps, [usage(tokens, cents / 100)])
        .filter(isNear)
        .map(({ kind }) => kind);
    assert.deepEqual(near(699, 34.9), []);
    assert.deepEqual(near(700, 34.9), ['tokens']);
    assert.deepEqual(near(2_000, 36), ['tokens', 'cents']);
    assert.deepEqual(capUses({ tokenCap: 0, costCap: 0 }, [usage(5, 5)]), []);
  });

  it('is told once, with the answer that brought it near', () => {
    assert.deepEqual(broughtNear(caps, [usage(100, 0)], usage(599, 0)), []);
    assert.deepEqual(broughtNear(caps, [usage(100, 0)], usage(600, 0)), [{ kind: 'tokens', used: 700, cap: 1_000 }]);
    assert.deepEqual(broughtNear(caps, [usage(700, 0)], usage(100, 0)), []);
  });
});
