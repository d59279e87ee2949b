import assert from 'node:assert/strict';
import { reviewEstimateFor, reviewEstimates, reviewPriors } from '../../../../src/domain/estimate/reviewEstimate.ts';

describe('the estimate of reviews', () => {
  it('is the documented prior where nothing was reviewed', () => {
    for (const estimate of reviewEstimates([{ mode: 'standard', beads: 0, calls: 0, tokens: 0 }]))
      assert.deepEqual(estimate, { mode: estimate.mode, ...reviewPriors[estimate.mode], basis: 'prior', tickets: 0 });
  });

  it('comes from what reviews took of each bead here, and says when that was in another way', () => {
    const [standard, party] = reviewEstimates([{ mode: 'standard', beads: 2, calls: 4, tokens: 20_000 }]);
    assert.deepEqual(standard, {
      mode: 'standard',
      calls: { low: 1, high: 4 },
      tokens: { low: 5_000, high: 20_000 },
      basis: 'history',
      tickets: 1,
    });
    assert.deepEqual(party, {
      mode: 'party',
      calls: { low: 3, high: 32 },
      tokens: { low: 15_000, high: 160_000 },
      basis: 'scaled',
      tickets: 1,
    });
  });

  it('is that of the setting, and `auto` reviews where there is a second model', () => {
    const all = reviewEstimates([]);
    const mode = (review: 'auto' | 'off' | 'standard' | 'party', second: boolean): string | undefined =>
      reviewEstimateFor(review, second, all)?.mode;
    assert.deepEqual(
      [mode('auto', true), mode('auto', false), mode('off', true), mode('party', false)],
      ['standard', undefined, undefined, 'party'],
    );
  });
});
