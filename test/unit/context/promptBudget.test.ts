import assert from 'node:assert/strict';
import fc from 'fast-check';
import { promptBudget } from '../../../src/context/promptBudget.ts';

describe('the budget of a prompt', () => {
  it('AT-12: is what is wanted, as far as the window of the model leaves room for it and for the answer', () => {
    assert.equal(promptBudget(100_000, { context: 200_000, output: 64_000 }), 100_000);
    assert.equal(promptBudget(100_000, { context: 64_000, output: 8_000 }), 52_800);
    assert.equal(
      promptBudget(100_000, { context: 8_000, output: 8_000 }),
      5_600,
      'an answer takes a quarter at most',
    );
    assert.equal(promptBudget(100_000, undefined), 100_000);
    assert.equal(
      promptBudget(100_000, { context: 0, output: 0 }),
      100_000,
      'a window that nobody knows is no limit',
    );
  });

  it('AT-12: never leaves less than a twentieth of the window free, and is never negative', () => {
    const tokens = fc.integer({ min: 1, max: 2_000_000 });
    fc.assert(
      fc.property(tokens, tokens, fc.nat(2_000_000), (wanted, context, output) => {
        const budget = promptBudget(wanted, { context, output });
        assert.ok(budget >= 0 && budget <= wanted && budget <= context * 0.95);
      }),
    );
  });
});
