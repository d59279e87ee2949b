import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../../src/base/sha256.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { call, createTicket } from '../../../support/storeContract/samples.ts';

describe('texts over 64 kB', () => {
  const newStore = tempStores();

  it('are files by hash, one for the same text', async () => {
    const { store, folder } = newStore();
    const { id } = await createTicket(store);
    const large = 'ä'.repeat(40_000); // 80 kB of UTF-8 in 40,000 characters
    await store.commit({
      ticket: id,
      journal: [],
      changes: [
        { type: 'artifact', artifact: 'prd', content: large, status: 'DRAFT', attempt: 1 },
        { type: 'call', call: call(id, 'c', { input: large, output: `${large}!` }) },
      ],
    });
    const blobs = readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    assert.deepEqual(
      blobs.map(({ name }) => name).toSorted(),
      [sha256(large), sha256(`${large}!`)].toSorted(),
    );
    assert.ok(blobs.every(({ name, parentPath }) => parentPath.endsWith(name.slice(0, 2))));
  });
});
