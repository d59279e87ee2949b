import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCleaner } from '../../../../src/app/cleaning/checkoutCleaner.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { TicketId } from '../../../../src/domain/core/ids.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

describe('a person’s checkouts of a team’s tickets', () => {
  const folder = tempFolder('checkouts');
  after(() => folder.remove());

  it('are removed once their ticket has ended, and only when a person chose them', async () => {
    const there = ['ABC-1', 'ABC-2', 'ABC-3', 'ABC-9'];
    for (const id of there) {
      mkdirSync(join(folder.path, id));
      writeFileSync(join(folder.path, id, 'a.txt'), 'four');
    }
    const removed: string[] = [];
    const cleaner = new CheckoutCleaner({
      git: {
        checkoutsOfTeam: async () =>
          there.map((id) => ({ ticket: TicketId.parse(id), path: join(folder.path, id), gitDir: '' })),
        removeCheckoutOfTeam: async (ticket) => {
          if (ticket === 'ABC-3') throw new BeadsmithError('GIT_LOCKED');
          removed.push(ticket);
        },
      },
      tickets: async () => [
        { id: 'ABC-1', status: 'COMPLETED', updatedAt: 7 },
        { id: 'ABC-2', status: 'CODING', updatedAt: 8 },
        { id: 'ABC-3', status: 'CANCELED', updatedAt: 9 },
      ],
    });
    const found = await cleaner.list();
    const whole = { kind: 'worktree', count: 1, bytes: 4 };
    assert.deepEqual(found, [
      { ...whole, ticket: 'ABC-1', at: 7 },
      { ...whole, ticket: 'ABC-3', at: 9 },
    ]);
    assert.deepEqual((await cleaner.remove([])).removed, []);
    const cleaned = await cleaner.remove(found);
    assert.deepEqual([removed, cleaned.failed.map(({ ticket }) => ticket)], [['ABC-1'], ['ABC-3']]);
  });
});
