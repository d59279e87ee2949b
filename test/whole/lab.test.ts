import assert from 'node:assert/strict';
import { join } from 'node:path';
import { kinds } from '../lab/kind.ts';
import { tryKind } from '../lab/lab.ts';
import { driveIdea } from '../lab/tickets/driveIdea.ts';
import { lostTexts } from '../lab/tickets/lost.ts';
import { packages, unpacked } from '../lab/tickets/packages.ts';

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

/** One ticket of `npm run lab:tickets`: models answer in the styles of the corpus. */
describe('a ticket whose models answer carelessly', function () {
  this.timeout(600_000);

  it('is completed without a person, and loses no text', async () => {
    const place = unpacked(packages[0] ?? '');
    const idea = {
      title: 'Document the limits',
      description: 'Write them down (1.10, not 1.1).',
      council: 1,
    } as const;
    const driven = await driveIdea(idea, place, 'integration');
    assert.equal(driven.status, 'COMPLETED', driven.says);
    assert.ok(driven.again > 0, 'some of the answers should have been unusable');
    assert.deepEqual(driven.lost, []);
    const value = { risks: ['What no document of the ticket says'] };
    const forgotten = [{ task: 'prd-draft', style: 'as asked', value, text: 'never sent' }];
    assert.deepEqual(lostTexts(forgotten, join(driven.folder, 'export')), [
      'prd-draft (as asked): What no document of the ticket says',
    ]);
    place.remove();
  });
});
