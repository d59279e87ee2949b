import assert from 'node:assert/strict';
import fc from 'fast-check';
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

  it('AT-8: is within 5 % after five calls whose ratio hardly differs, and is never no number', () => {
    const near = fc.double({ min: 0.98, max: 1.02, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: 0.6, max: 1.8, noNaN: true }),
        fc.array(near, { minLength: 5, maxLength: 5 }),
        (ratio, noise) => {
          const known = calibrate(pairs(...noise.map((one) => one * ratio)));
          assert.ok(Math.abs(known - ratio) / ratio < 0.05);
        },
      ),
    );
    const any = fc.record({ estimated: fc.integer(), reported: fc.integer() });
    fc.assert(fc.property(fc.array(any), (all) => calibrate(all) >= 0.5 && calibrate(all) <= 2));
  });

  it('stays between a half and two', () => {
    assert.equal(calibrate(pairs(0.1, 0.2)), 0.5);
    assert.equal(calibrate(pairs(9)), 2);
  });
});
