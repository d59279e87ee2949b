import assert from 'node:assert/strict';
import { inBox, tryIn } from '../../bench/hostile/hostile.ts';
import { canTryBox } from '../../support/sandbox.ts';

const boxes = await canTryBox();

/** The quick part of `npm run bench -- hostile`. */
(boxes ? describe : describe.skip)('A hostile command in a box', () => {
  it('reads, writes, reaches and leaves nothing outside of its worktree', async () => {
    const tried = await tryIn(
      inBox,
      ({ quick }) => quick,
      () => undefined,
    );
    assert.ok(tried.length >= 12);
    assert.deepEqual(
      tried.flatMap(({ attack, outcome }) =>
        outcome === undefined ? [] : [`${attack.area}: ${attack.name}: ${outcome}`],
      ),
      [],
    );
  });
});
