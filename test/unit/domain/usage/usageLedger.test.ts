import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { usageText } from '../../../../src/cli/commands/usage.ts';
import { partShares } from '../../../../src/protocol/bookedUsage.ts';
import {
  type BookedUsage,
  usageGroups,
  usageLedger,
  type UsageSums,
} from '../../../../src/domain/usage/usageLedger.ts';

const plain: BookedUsage = {
  ticket: 'ABC-1',
  phase: 'Coding',
  bead: 'one',
  iteration: 'one #1',
  day: '2026-01-31',
  call: 'c1',
  part: null,
  messageId: 'm1',
  model: 'demo/model',
  input: 100,
  output: 20,
  reasoning: 5,
  cacheRead: 40,
  cacheWrite: 10,
  cost: 0.25,
};
const count = fc.integer({ min: 0, max: 1_000_000 });
const name = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null });
const booked: fc.Arbitrary<BookedUsage> = fc
  .record({
    phase: name,
    bead: name,
    iteration: name,
    day: name,
    call: name,
    input: count,
    output: count,
    reasoning: count,
    cacheRead: count,
  })
  .chain((some) => fc.constantFrom(0, 0.001, 1.5).map((cost) => ({ ...plain, ...some, cost })));

describe('usageLedger', () => {
  it('AT-14: the total is the sum of the rows, however they are grouped', () => {
    const keys: readonly Exclude<keyof UsageSums, 'money'>[] = [
      ...([
        'answers',
        'input',
        'cacheRead',
        'cacheWrite',
        'output',
        'reasoning',
        'tokens',
        'unpriced',
        'counted',
      ] as const),
    ];
    fc.assert(
      fc.property(fc.array(booked), fc.constantFrom(...usageGroups), (all, by) => {
        const { rows, total } = usageLedger(all, by);
        for (const key of keys)
          assert.equal(
            rows.reduce((sum, row) => sum + row[key], 0),
            total[key],
          );
        assert.ok(Math.abs(rows.reduce((sum, row) => sum + (row.money ?? 0), 0) - (total.money ?? 0)) < 1e-9);
        assert.equal(
          total.tokens,
          total.input + total.cacheRead + total.cacheWrite + total.output + total.reasoning,
        );
      }),
    );
  });

  it('keeps the order in which groups appear, and a row of its own for what belongs to none', () => {
    const { rows } = usageLedger(
      [{ ...plain, bead: 'two' }, { ...plain, bead: null }, plain, { ...plain, bead: 'two' }],
      'bead',
    );
    assert.deepEqual(
      rows.map(({ key, answers }) => [key, answers]),
      [
        ['two', 2],
        [null, 1],
        ['one', 1],
      ],
    );
  });

  it('never calls an unknown price nothing', () => {
    const unknown = usageLedger([{ ...plain, cost: 0 }], 'model');
    assert.deepEqual([unknown.total.money, unknown.total.unpriced], [null, 1]);
    const text = usageText('model', unknown.rows, unknown.total);
    assert.match(text, /–/);
    assert.doesNotMatch(text, /0\.0/);
    assert.match(text, /No price is known for 1 of 1 answers\./);

    const some = usageLedger([plain, { ...plain, cost: 0, estimated: true }], 'model');
    assert.deepEqual([some.total.money, some.total.unpriced, some.total.counted], [0.25, 1, 1]);
    assert.match(usageText('model', some.rows, some.total), /≥ 0\.2500/);
  });

  it('AT-14: by part has the tokens and the cost of whole answers to 1e-9, with what no part holds', () => {
    const first = fc.record({
      read: count,
      write: count,
      rest: count,
      later: count,
      sizes: fc.array(count, { maxLength: 4 }),
      isPriced: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(first, { maxLength: 5 }), (answers) => {
        const whole = answers.map(({ read, write, rest, later }) => ({
          ...plain,
          input: rest + later,
          cacheRead: read,
          cacheWrite: write,
          first: { prompt: read + write + rest, cacheRead: read, cacheWrite: write },
        }));
        const shares = whole.flatMap((one, index) => {
          const { sizes = [], isPriced = false } = answers[index] ?? {};
          const price = isPriced ? { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } : undefined;
          return partShares(one, {
            parts: sizes.map((tokens, at) => ({ name: `part ${String(at)}`, tokens })),
            price,
          });
        });
        const [byPart, byTicket] = [usageLedger(shares, 'part'), usageLedger(whole, 'ticket')];
        const { money, ...counts } = byPart.total;
        const { money: booked, ...wanted } = byTicket.total;
        assert.deepEqual(counts, wanted);
        assert.ok(Math.abs((money ?? 0) - (booked ?? 0)) < 1e-9);
        assert.ok(
          Math.abs(byPart.rows.reduce((sum, row) => sum + (row.money ?? 0), 0) - (booked ?? 0)) < 1e-9,
        );
      }),
    );
  });
});
