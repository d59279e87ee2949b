import assert from 'node:assert/strict';
import { leastRatio, testRatio } from '../../../.build/coverage.mjs';

describe('the tests', () => {
  it('have three lines for every four lines of source at least', () => {
    assert.ok(testRatio() >= leastRatio, `the ratio is ${testRatio().toFixed(3)}`);
  });
});
