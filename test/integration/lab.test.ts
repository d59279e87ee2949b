import assert from 'node:assert/strict';
import { kinds } from '../lab/kinds.ts';
import { tryKind } from '../lab/lab.ts';

/** The cheap and telling rows of `npm run lab`. */
describe('a kind of repository', function () {
  this.timeout(600_000);

  for (const name of ['noisy-tests', 'dirty-checkout', 'new-red', 'cheating-coder']) {
    const kind = kinds.find((candidate) => candidate.name === name);
    it(`gets what it promises: ${kind?.about ?? name}`, async () => {
      assert.ok(kind);
      const { problems, outcome } = await tryKind(kind, { keep: false });
      assert.deepEqual(problems, []);
      assert.equal(outcome, 'delivers' in kind.comes ? 'verified' : 'stopped');
    });
  }
});
