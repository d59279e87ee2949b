import assert from 'node:assert/strict';
import type {
  CompletedTicket,
  CompletedTickets,
  ReviewedTicket,
} from '../../../../src/domain/estimate/completedTicket.ts';
import {
  addedPriors,
  reviewEstimateFor,
  reviewEstimates,
  reviewPriors,
} from '../../../../src/domain/estimate/reviewEstimate.ts';
import { completeSettings, type Settings } from '../../../../src/domain/settings/settings.ts';

const reviewed = (review: ReviewedTicket): CompletedTicket => {
  return { depth: 'solo', calls: 20, tokens: 200_000, minutes: 10, money: null, review };
};
const of = (...reviews: readonly ReviewedTicket[]): CompletedTickets => ({
  here: reviews.map(reviewed),
  elsewhere: [],
});

describe('the estimate of reviews', () => {
  it('is the documented prior where nothing was reviewed', () => {
    for (const estimate of reviewEstimates(of({ mode: 'standard', beads: 0, calls: 0, tokens: 0 })))
      assert.deepEqual(estimate, {
        mode: estimate.mode,
        ...reviewPriors[estimate.mode],
        basis: 'prior',
        tickets: 0,
      });
  });

  it('comes from what reviews took of each bead here, and says when that was in another way', () => {
    const [standard, party] = reviewEstimates(of({ mode: 'standard', beads: 2, calls: 4, tokens: 20_000 }));
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

  it('comes from other repositories only where nothing was reviewed here, and says so', () => {
    const elsewhere = [reviewed({ mode: 'standard', beads: 2, calls: 4, tokens: 20_000 })];
    const unreviewed: CompletedTicket = {
      ...reviewed({ mode: 'party', beads: 1, calls: 9, tokens: 9 }),
      review: null,
    };
    const [standard, party] = reviewEstimates({ here: [unreviewed], elsewhere });
    assert.deepEqual(
      [standard?.calls, standard?.basis, standard?.tickets],
      [{ low: 1, high: 4 }, 'elsewhere', 1],
    );
    assert.deepEqual([party?.calls, party?.basis], [{ low: 3, high: 32 }, 'elsewhere']);
    const [own] = reviewEstimates({ ...of({ mode: 'standard', beads: 1, calls: 7, tokens: 70 }), elsewhere });
    assert.deepEqual([own?.basis, own?.calls], ['history', { low: 3, high: 14 }]);
  });

  it('counts the personas and rounds of the ticket where nothing is known, as a dry run does', () => {
    const two = completeSettings({
      mainImplementer: 'demo/main',
      reviewer: 'demo/other',
      review: 'party',
      personas: ['murat', 'amelia'],
    });
    const calls = (settings: Settings) =>
      reviewEstimateFor('party', true, reviewEstimates(of()), settings)?.calls;
    assert.deepEqual(calls(two), { low: 2, high: 14 });
    assert.deepEqual(calls({ ...two, partyMode: 'solo' }), { low: 1, high: 5 });
    assert.deepEqual(addedPriors({ ...two, kickoff: true, retrospective: true }), {
      bead: { calls: { low: 4, high: 16 }, tokens: { low: 40_000, high: 1_232_000 } },
      ticket: { calls: { low: 2, high: 2 }, tokens: { low: 20_000, high: 154_000 } },
    });
    assert.deepEqual(addedPriors(completeSettings({ mainImplementer: 'demo/main' })), {
      bead: null,
      ticket: null,
    });
    const known = reviewEstimates(of({ mode: 'party', beads: 1, calls: 8, tokens: 80_000 }));
    assert.equal(reviewEstimateFor('party', true, known, two), known[1]);
  });

  it('is that of the setting, and `auto` reviews where there is a second model', () => {
    const all = reviewEstimates(of());
    const mode = (review: 'auto' | 'off' | 'standard' | 'party', second: boolean): string | undefined =>
      reviewEstimateFor(review, second, all)?.mode;
    assert.deepEqual(
      [mode('auto', true), mode('auto', false), mode('off', true), mode('party', false)],
      ['standard', undefined, undefined, 'party'],
    );
  });
});
