import assert from 'node:assert/strict';
import {
  countsText,
  failureHash,
  progressCounts,
  type Rejected,
  stuckReason,
} from '../../../../src/domain/beads/progress.ts';

describe('the progress of an iteration', () => {
  const row = (trees: string, more: (place: number) => Partial<Rejected> = () => ({})): readonly Rejected[] =>
    Array.from(trees).map((tree, place) => ({ tree, failure: `failure ${String(place)}`, ...more(place) }));

  it('knows a failure again, wherever it ran and however long it took', () => {
    const first = failureHash('✖ adds (12.3 ms)\n  at /tmp/one/sample.worktrees/A-1/test/add.test.js:10:3');
    assert.equal(failureHash('✖ adds (7.5 ms)\n  at /home/two/test/add.test.js:12:3'), first);
    assert.notEqual(failureHash('✖ adds (7.5 ms)\n  at /home/two/test/sub.test.js:12:3'), first);
  });

  it('AT-33: is missing when three checks in a row found the same files', () => {
    assert.equal(stuckReason([]), '');
    assert.equal(stuckReason(row('aa')), '');
    assert.match(stuckReason(row('aaa')), /files were the same at 3 checks/);
    assert.equal(stuckReason(row('abc')), '');
  });

  it('AT-33: is missing when the files alternate between two states', () => {
    assert.match(stuckReason(row('aba')), /went back to what failed 2 checks ago/);
    assert.match(stuckReason(row('abca')), /went back to what failed 3 checks ago/);
    assert.equal(stuckReason(row('abb')), '');
  });

  it('is missing at the third failure of the same kind, whatever the files are', () => {
    const same = () => ({ failure: 'x' });
    assert.equal(stuckReason(row('ab', same)), '');
    assert.match(stuckReason(row('abc', same)), /3 checks in a row failed in the same way/);
  });

  it('AT-33: is missing when three short runs left the same check failing', () => {
    const short = () => ({ ms: 29_999, of: 'npm test' });
    assert.match(stuckReason(row('abc', short)), /3 runs in a row took less than 30 s each/);
    assert.equal(stuckReason(row('abc', short), 10_000), '');
    assert.equal(stuckReason(row('abc', (place) => ({ ms: 1, of: `check ${String(place)}` }))), '');
    assert.equal(stuckReason(row('abc', (place) => ({ ms: place === 1 ? 60_000 : 1, of: 'npm test' }))), '');
  });

  it('counts from the check after which the coder was told to take another approach', () => {
    const checks = row('aaa', (place) => (place === 2 ? { pivot: true } : {}));
    assert.deepEqual(progressCounts([...checks, ...row('a')]), {
      sameFiles: 2,
      sameFailure: 1,
      shortRuns: 0,
    });
    assert.equal(stuckReason([...checks, ...row('a')]), '');
    assert.match(stuckReason([...checks, ...row('aa')]), /files were the same/);
    assert.equal(
      countsText(progressCounts(checks)),
      'same files 3 of 3, same failure 1 of 3, short runs 0 of 3',
    );
  });
});
