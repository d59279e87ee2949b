import assert from 'node:assert/strict';
import { iterationOfStep } from '../../../../src/domain/beads/iteration.ts';

describe('the iteration of a step', () => {
  it('is found in its key, and nowhere else', () => {
    const place = { bead: 'say-hello', iteration: 2 };
    for (const key of ['TST-1/1/CODING:bead:say-hello:2/check#1/run', 'bead:say-hello:2'])
      assert.deepEqual(iterationOfStep(key), place);
    for (const key of ['TST-1/1/CODING/context:1', 'TST-1/1/RUNNING_FINAL_TEST/bead:x', 'subbead:x:1', ''])
      assert.equal(iterationOfStep(key), undefined, key);
  });
});
