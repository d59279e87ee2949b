import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelPrices, Usage } from '../../../../src/domain/promptPlan.ts';
import { callCost, type CallCost } from '../../../../src/domain/usage/callCost.ts';
import { usageLedger } from '../../../../src/domain/usage/usageLedger.ts';

const prices: ModelPrices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const answer = (used: Partial<Usage>): Usage => ({
  ...{ messageId: 'm', model: 'p/m', input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, cost: 0 },
  ...used,
});
const near = (found: number | undefined, expected: number): void => {
  assert.ok(Math.abs((found ?? Number.NaN) - expected) < 1e-9, `${String(found)} instead of ${String(expected)}`);
};
const sumOf = ({ parts, frame, later, output }: CallCost): number => parts.reduce((sum, one) => sum + one, frame + later + output);

describe('the cost of a call', () => {
  it('AT-4: prices what a cache gave, what it took and what stands behind it, and adds up to the ledger', () => {
    const usage = answer({ cacheRead: 10_000, cacheWrite: 10_000, input: 10_000, output: 100 });
    const cost = callCost([10_000, 10_000, 10_000], usage, prices);
    assert.ok(cost);
    near(cost.parts[0], 0.003);
    near(cost.parts[1], 0.0375);
    near(cost.parts[2], 0.03);
    near(cost.output, 0.0015);
    near(cost.total, sumOf(cost));
    const place = { ticket: 'A-1', phase: null, bead: null, iteration: null, day: null, call: null };
    const booked = answer({ ...usage, cost: cost.total });
    near(usageLedger([{ ...booked, ...place }], 'ticket').total.money ?? undefined, sumOf(cost));
    assert.deepEqual([cost.isListPrice, callCost([], booked, prices)?.isListPrice], [true, false]);
  });

  it('knows no price, and says nothing, where the catalogue has none or nobody reported tokens', () => {
    assert.equal(callCost([10], answer({ input: 10 }), undefined), undefined);
    assert.equal(callCost([10], answer({ input: 10, estimated: true }), prices), undefined);
  });

  it('splits a part that is only partly in the cache, behind what nobody counted', () => {
    const cost = callCost([1_000, 1_000], answer({ cacheRead: 2_000, input: 1_000 }), prices);
    near(cost?.parts[0], 0.0003);
    near(cost?.parts[1], 0.003);
    near(cost?.frame, 0.0003);
  });

  it('gives requests after the first one a row of their own', () => {
    const usage = answer({ input: 1_500, cacheRead: 1_000, first: { prompt: 1_000, cacheRead: 0 } });
    const cost = callCost([1_000], usage, prices);
    near(cost?.parts[0], 0.003);
    near(cost?.frame, 0);
    near(cost?.later, 0.0018);
  });

  it('has the prices of a long prompt for a long prompt', () => {
    const long = { ...prices, above: [{ ...prices, input: 6, tokens: 200_000 }] };
    near(callCost([200_000], answer({ input: 200_000 }), long)?.total, 0.6);
    near(callCost([200_001], answer({ input: 200_001 }), long)?.total, 1.200006);
  });

  it('always adds up, whatever is reported', () => {
    const tokens = fc.nat(300_000);
    const shape = fc.record({ input: tokens, output: tokens, reasoning: tokens, cacheRead: tokens, cacheWrite: tokens });
    const first = fc.option(fc.record({ prompt: tokens, cacheRead: tokens, cacheWrite: tokens }), { nil: undefined });
    const cost = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: 0 });
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 8 }), shape, first, cost, (parts, used, one, money) => {
        const known = callCost(parts, answer({ ...used, cost: money, ...(one ? { first: one } : {}) }), prices);
        assert.ok(known);
        near(sumOf(known), known.total);
      }),
    );
  });
});
