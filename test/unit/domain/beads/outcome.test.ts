import assert from 'node:assert/strict';
import { getNextBead, isAllComplete } from '../../../../src/domain/beads/beadPlan.ts';
import { missingText, outcomeOf } from '../../../../src/domain/beads/outcome.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';

describe('the outcome of a plan', () => {
  const done = testBead({ id: 'done', status: 'done' });
  const skipped = testBead({
    id: 'left',
    status: 'skipped',
    skipped: { reason: 'No hand.', replacedBy: [] },
  });

  it('AT-25: is a success only when every bead is done', () => {
    assert.equal(outcomeOf([done]).success, true);
    for (const status of ['pending', 'in_progress', 'error', 'skipped'] as const)
      assert.equal(outcomeOf([done, testBead({ id: 'other', status })]).success, false, status);
    assert.equal(outcomeOf([]).success, false);
    const outcome = outcomeOf([done, skipped]);
    assert.deepEqual(outcome.missing, [
      { bead: 'left', title: 'Greet by name', state: 'skipped', reason: 'No hand.' },
    ]);
    assert.equal(missingText(outcome), 'left (skipped)');
  });

  it('counts the beads in place of one instead of it, and nothing that is only named', () => {
    const split = (...replacedBy: string[]) =>
      testBead({ id: 'old', status: 'skipped', skipped: { reason: 'Split.', replacedBy } });
    assert.equal(outcomeOf([split('done'), done]).success, true);
    assert.equal(
      outcomeOf([split('done', 'part'), done, testBead({ id: 'part', status: 'error' })]).success,
      false,
    );
    assert.equal(outcomeOf([split('nowhere'), done]).success, false);
  });

  it('takes a skipped bead for settled, but lets nothing run that depends on it', () => {
    assert.equal(isAllComplete([done, skipped]), true);
    assert.equal(isAllComplete([skipped]), false);
    assert.equal(
      getNextBead([skipped, testBead({ id: 'next', dependencies: { blocked_by: ['left'], blocks: [] } })]),
      undefined,
    );
  });
});
