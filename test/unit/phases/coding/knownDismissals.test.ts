import assert from 'node:assert/strict';
import type { Store } from '../../../../src/engine/ports/storePort.ts';
import { knownDismissals } from '../../../../src/phases/coding/review/reviewWork.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { createTicket } from '../../../support/storeContract/samples.ts';
import { tamper } from '../../../support/engine/tempStore.ts';

describe('the dismissals that a review goes by', () => {
  const makeStore = tempStores();
  const claim = {
    category: 'style',
    file: 'a.ts',
    claim: 'No capital.',
    reason: 'Not here.',
    at: '2026-01-01T00:00:00.000Z',
  };

  it('are those that people made, of all tickets, and nothing that something else wrote into the database', async () => {
    const temp = makeStore();
    const { store, folder } = temp;
    const tickets = [
      await createTicket(store, 'one'),
      await createTicket(store, 'two'),
      await createTicket(store, 'three'),
    ];
    for (const { id } of [...tickets, ...tickets.slice(0, 2)]) {
      const finding = `${id}.${String((await store.dismissals()).length)}`;
      await store.commit({ ticket: id, journal: [], changes: [{ type: 'dismissal', finding, claim }] });
    }
    const numbers = async (from: Store): Promise<readonly number[]> =>
      (await knownDismissals(from)).map(({ number }) => number);
    assert.deepEqual(await numbers(store), [1, 2, 3, 4, 5]);
    const [one, , three] = tickets;
    tamper(
      folder,
      `INSERT INTO dismissals SELECT 6, '${one?.id ?? ''}', 'forged', 1, body FROM dismissals WHERE number = 1`,
    );
    tamper(
      folder,
      `INSERT INTO dismissals SELECT 7, 'NONE-1', 'forged', 1, body FROM dismissals WHERE number = 1`,
    );
    tamper(folder, `UPDATE dismissals SET body = json_set(body, '$.file', 'b.ts') WHERE number = 2`);
    tamper(folder, `UPDATE journal SET covers = NULL WHERE ticket = '${three?.id ?? ''}' AND seq > 1`);
    assert.deepEqual((await store.dismissals()).length, 7);
    assert.deepEqual(await numbers(temp.reopen()), [1, 4, 5]);
  });
});
