import assert from 'node:assert/strict';
import { calibrate } from '../../../src/context/calibrate.ts';

const pairs = (...ratios: number[]) => ratios.map((ratio) => ({ estimated: 1_000, reported: ratio * 1_000 }));

describe('calibrate', () => {
  it('is 1 without data, and for data that says nothing', () => {
    assert.equal(calibrate([]), 1);
    assert.equal(
      calibrate([
        { estimated: 0, reported: 50 },
        { estimated: 50, reported: 0 },
      ]),
      1,
    );
  });

  it('is the median, which one odd call does not move', () => {
    assert.equal(calibrate(pairs(1.1, 40, 1.2)), 1.2);
    assert.equal(calibrate(pairs(1.5, 1)), 1.25);
  });

  it('stays between a half and two', () => {
    assert.equal(calibrate(pairs(0.1, 0.2)), 0.5);
    assert.equal(calibrate(pairs(9)), 2);
  });
});
