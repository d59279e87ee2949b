import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Usage } from '../../../../src/domain/usage/promptPlan.ts';
import { callShares } from '../../../../src/domain/usage/callCost.ts';
import type { ModelPrice } from '../../../../src/domain/usage/modelPrice.ts';
import { sampleUsage } from '../../../support/samples.ts';

const price: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const used = (changes: Partial<Usage> = {}): Usage =>
  sampleUsage({
    input: 5_000,
    output: 100,
    reasoning: 20,
    cacheRead: 10_000,
    cacheWrite: 10_000,
    first: { prompt: 25_000, cacheRead: 10_000 },
    ...changes,
  });
const near = (found: number | null | undefined, wanted: number): void =>
  assert.ok(Math.abs((found ?? Number.NaN) - wanted) < 1e-9, `${String(found)}, not ${String(wanted)}`);

describe('what a call costs', () => {
  it('AT-4: 10,000 tokens cost $0.003 from the cache and $0.0375 written to it, and what is behind them the price of input', () => {
    const shares = callShares([10_000, 10_000, 5_000], used(), price);
    const [hit, written, tail] = shares?.parts ?? [];
    near(hit?.cost, 0.003);
    near(written?.cost, 0.0375);
    near(tail?.cost, 0.015);
    near(shares?.cost?.frame, 0);
    near(shares?.cost?.output, 0.0018);
    near(shares?.cost?.total, 0.003 + 0.0375 + 0.015 + 0.0018);
    assert.equal(shares?.cost?.isListPrice, true);
  });

  it('AT-4: has tokens only where no price is known, and nothing where the provider reported nothing', () => {
    const shares = callShares([10_000, 15_000], used(), undefined);
    assert.equal(shares?.cost, null);
    assert.deepEqual(
      shares.parts.map(({ cost, tokens }) => [cost, tokens.cacheRead]),
      [
        [null, 10_000],
        [null, 0],
      ],
    );
    assert.equal(callShares([1], used({ estimated: true }), price), null);
  });

  it('AT-14: adds up to what was booked to 1e-9, whatever was cached, estimated and asked again after tool calls', () => {
    const count = fc.integer({ min: 0, max: 300_000 });
    const some = fc.record({
      parts: fc.array(count, { maxLength: 8 }),
      read: count,
      write: count,
      rest: count,
      more: count,
      cost: fc.double({ min: 0, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(some, ({ parts, read, write, rest, more, cost }) => {
        const first = { prompt: read + write + rest, cacheRead: read, cacheWrite: write };
        const usage = used({ input: rest + more, cacheRead: read + more, cacheWrite: write, cost, first });
        const shares = callShares(parts, usage, {
          ...price,
          tiers: [{ ...price, input: 6, above: 200_000 }],
        });
        assert.ok(shares?.cost);
        const { frame, later, output, total } = shares.cost;
        near(shares.parts.reduce((sum, one) => sum + (one.cost ?? 0), 0) + frame + later + output, total);
        if (cost > 0) assert.equal(total, cost);
        const tokens = [...shares.parts.map((one) => one.tokens), shares.frame];
        assert.equal(
          tokens.reduce((sum, one) => sum + one.cacheRead + one.cacheWrite + one.input, 0),
          first.prompt,
        );
      }),
    );
  });

  it('tells later requests of an answer from its first one, and takes the price of long prompts', () => {
    const shares = callShares([25_000], used({ input: 30_000, cost: 1 }), price);
    assert.ok(shares?.cost && shares.cost.later > 0);
    const long = callShares([25_000], used(), { ...price, tiers: [{ ...price, input: 6, above: 20_000 }] });
    near(long?.cost?.input, 0.03);
  });
});
