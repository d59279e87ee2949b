import assert from 'node:assert/strict';
import { SqliteDatabase } from '../../../../src/adapters/store/sqlite/database.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { storeContract } from '../../../support/storeContract/contract.ts';
import { createTicket } from '../../../support/storeContract/samples.ts';

describe('SqliteStore', () => {
  const newStore = tempStores();
  storeContract(newStore);

  it('writes nothing when a commit of nothing only checks that this process still drives', async () => {
    const { store, folder } = newStore();
    const { id } = await createTicket(store);
    const other = new SqliteDatabase(folder);
    const told: (string | undefined)[] = [];
    store.onDidChange((ticket) => told.push(ticket));
    const version = (): unknown => other.get('PRAGMA data_version');
    const before = version();
    // As the thread of the database does it.
    const answer = store.sync.once(1, false, () => store.sync.calls.commit({ ticket: id, journal: [] }));
    await store.commit({ ticket: id, journal: [], changes: [] });
    assert.deepEqual([answer, version(), told], [{ seq: 1, revision: 0 }, before, []]);
    store.sync.once(2, false, () =>
      store.sync.calls.commit({
        ticket: id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      }),
    );
    assert.notDeepEqual(version(), before);
    other.close();
  });
});
