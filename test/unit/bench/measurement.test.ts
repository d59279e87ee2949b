import assert from 'node:assert/strict';
import { median, quantileOf, toRow } from '../../bench/measurement.ts';

describe('a measurement', () => {
  const samples = [9, 1, 8, 2, 7, 3, 6, 4, 5, 100];

  it('is the median of its samples, whatever their order', () => {
    assert.equal(median(samples), 5.5);
    assert.equal(median([3, 1, 2]), 2);
    assert.ok(Number.isNaN(median([])));
  });

  it('is another quantile where one is asked for, and that is one of the samples', () => {
    const twenty = Array.from({ length: 20 }, (_, at) => at + 1);
    assert.equal(quantileOf(twenty, 0.95), 19);
    assert.equal(quantileOf(samples, 0.99), 100);
    assert.equal(quantileOf(samples, 0), 1);
  });

  it('misses its bound by the value it names, not by another', () => {
    const measured = { name: 'x', unit: 'ms', bound: { atMost: 50 }, samples } as const;
    assert.deepEqual(toRow(measured), {
      name: 'x',
      value: 5.5,
      unit: 'ms',
      bound: '<= 50',
      ok: true,
      p50: 5.5,
      p95: 100,
    });
    assert.equal(toRow({ ...measured, quantile: 0.95 }).ok, false);
  });
});
