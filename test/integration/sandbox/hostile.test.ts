import assert from 'node:assert/strict';
import { inSandbox, tryIn } from '../../bench/hostile/hostile.ts';
import { canTrySandbox } from '../../support/sandbox.ts';

const canTry = await canTrySandbox();

/** The quick part of `npm run bench -- hostile`. */
(canTry ? describe : describe.skip)('A hostile command in a sandbox', () => {
  it('reads, writes, reaches and leaves nothing outside of its worktree', async () => {
    const tried = await tryIn(
      inSandbox,
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
