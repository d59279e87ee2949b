import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CompletedTicket, CompletedTickets } from '../../../../src/domain/estimate/completedTicket.ts';
import { estimateOf, estimates, priors } from '../../../../src/domain/estimate/estimate.ts';
import { Depth } from '../../../../src/domain/settings/settings.ts';
import { isWithin } from '../../../support/isWithin.ts';

const anyTicket = fc.record<CompletedTicket>({
  depth: fc.constantFrom(...Depth.options),
  calls: fc.integer({ min: 1, max: 1_000 }),
  tokens: fc.integer({ min: 1, max: 50_000_000 }),
  minutes: fc.double({ min: 0.1, max: 1_000, noNaN: true }),
  money: fc.option(fc.double({ min: 0.01, max: 500, noNaN: true })),
  review: fc.constant(null),
});
const ticket = (depth: Depth, over: Partial<CompletedTicket> = {}): CompletedTicket => {
  return { depth, calls: 20, tokens: 200_000, minutes: 10, money: 2, review: null, ...over };
};
const of = (...here: readonly CompletedTicket[]): CompletedTickets => ({ here, elsewhere: [] });

describe('an estimate', () => {
  it('is the documented prior where nothing was finished, without a price', () => {
    for (const estimate of estimates(of())) {
      const { calls, tokens, minutes } = priors[estimate.depth];
      assert.deepEqual(estimate, {
        depth: estimate.depth,
        calls,
        tokens,
        minutes,
        money: null,
        basis: 'prior',
        tickets: 0,
      });
    }
  });

  it('comes from tickets of its depth, and is narrower the more there are', () => {
    assert.deepEqual(estimateOf('quick', of(ticket('quick'), ticket('full', { calls: 900 }))), {
      depth: 'quick',
      calls: { low: 10, high: 40 },
      tokens: { low: 100_000, high: 400_000 },
      minutes: { low: 5, high: 20 },
      money: { low: 1, high: 4 },
      basis: 'history',
      tickets: 1,
    });
    const ten = estimateOf('quick', of(...Array.from({ length: 10 }, () => ticket('quick'))));
    assert.deepEqual([ten.calls, ten.tickets], [{ low: 18, high: 22 }, 10]);
  });

  it('comes from another depth where its own has none, and says so', () => {
    const { calls, basis } = estimateOf('quick', of(ticket('solo', { calls: 40 })));
    assert.deepEqual([calls, basis], [{ low: 4, high: 80 }, 'scaled']);
  });

  it('comes from other repositories only where nothing was finished here, and says so', () => {
    const elsewhere = [ticket('quick', { calls: 40 }), ticket('full', { calls: 900 })];
    const { calls, basis, tickets } = estimateOf('quick', { here: [], elsewhere });
    assert.deepEqual([calls, basis, tickets], [{ low: 20, high: 80 }, 'elsewhere', 1]);
    const scaled = estimateOf('solo', { here: [], elsewhere });
    assert.deepEqual([scaled.basis, scaled.tickets], ['elsewhere', 2]);
    assert.deepEqual(
      estimateOf('quick', { here: [ticket('solo')], elsewhere }),
      estimateOf('quick', of(ticket('solo'))),
    );
  });

  it('names no price that isn’t known of each ticket', () => {
    assert.equal(estimateOf('quick', of(ticket('quick'), ticket('quick', { money: null }))).money, null);
  });

  it('holds each ticket that it is made from, and no range is empty', () => {
    fc.assert(
      fc.property(fc.array(anyTicket, { maxLength: 20 }), (history) => {
        for (const estimate of estimates(of(...history))) {
          for (const range of [
            estimate.calls,
            estimate.tokens,
            estimate.minutes,
            ...(estimate.money ? [estimate.money] : []),
          ])
            assert.ok(range.low >= 0 && range.low <= range.high, JSON.stringify(estimate));
          for (const made of history.filter(({ depth }) => depth === estimate.depth)) {
            assert.ok(isWithin(estimate.calls, made.calls));
            assert.ok(isWithin(estimate.tokens, made.tokens));
            assert.ok(isWithin(estimate.minutes, made.minutes));
          }
        }
      }),
    );
  });

  it('never says more for quick than for solo, nor for solo than for full, where depths are compared', () => {
    fc.assert(
      fc.property(fc.record({ calls: fc.integer({ min: 1, max: 1_000 }) }), ({ calls }) => {
        const history = of(ticket('solo', { calls }));
        const [full, quick] = [estimateOf('full', history), estimateOf('quick', history)];
        assert.ok(quick.calls.low <= full.calls.low && quick.calls.high <= full.calls.high);
      }),
    );
  });
});
