import assert from 'node:assert/strict';
import { failureHash, stuckReason } from '../../../../src/domain/beads/progress.ts';

describe('the progress of an iteration', () => {
  it('knows a failure again, wherever it ran and however long it took', () => {
    const first = failureHash('✖ adds (12.3 ms)\n  at /tmp/one/sample.worktrees/A-1/test/add.test.js:10:3');
    assert.equal(failureHash('✖ adds (7.5 ms)\n  at /home/two/test/add.test.js:12:3'), first);
    assert.notEqual(failureHash('✖ adds (7.5 ms)\n  at /home/two/test/sub.test.js:12:3'), first);
  });

  it('ends when the same files fail in the same way, or when they go back to what failed before', () => {
    const [one, two] = [
      { tree: 'a', failure: 'x' },
      { tree: 'b', failure: 'y' },
    ];
    assert.equal(stuckReason([]), '');
    assert.equal(stuckReason([one, two]), '');
    assert.match(stuckReason([one, one]), /the files are the same/);
    assert.match(stuckReason([one, two, one]), /went back to what failed 2 checks ago/);
  });

  it('ends at the third failure of the same kind, whatever the files are', () => {
    const checks = ['a', 'b', 'c'].map((tree) => ({ tree, failure: 'x' }));
    assert.equal(stuckReason(checks.slice(1)), '');
    assert.match(stuckReason(checks), /3 checks in a row failed in the same way/);
  });
});
