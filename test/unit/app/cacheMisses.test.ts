import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheMisses } from '../../../src/app/tickets/ticketHistory.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { called, member } from '../../support/engine/missedCalls.ts';
import { tempStores } from '../../support/engine/tempStore.ts';

describe('providers whose cache misses', () => {
  const makeStore = tempStores();
  let store: Store;
  let folder: string;
  /** The bounds with which calls and answers were read. */
  let reads: (number | undefined)[];
  let misses: ReturnType<typeof cacheMisses>;

  beforeEach(() => {
    const made = makeStore();
    ({ store, folder } = made);
    reads = [];
    misses = cacheMisses(
      {
        lastCall: (ticket) => store.lastCall(ticket),
        plannedCalls: (ticket, newest) => {
          reads.push(newest);
          return store.plannedCalls(ticket, newest);
        },
        usage: (ticket, newest) => {
          reads.push(newest);
          return store.usage(ticket, newest);
        },
      },
      folder,
    );
  });

  const ticket = async (): Promise<string> =>
    (await store.createTicket({ prefix: 'TST', atLeast: 1, title: 'A ticket', description: '', priority: 3 }))
      .id;
  const add = (id: string, from: number, to: number, cacheRead = 0): Promise<unknown> =>
    store.commit({
      ticket: id,
      journal: [],
      changes: Array.from({ length: to - from + 1 }, (_, at) => called(id, from + at, cacheRead)).flat(),
    });

  it('are told from the third miss in a row on, until the provider gives something', async () => {
    const id = await ticket();
    assert.deepEqual(await misses(id), []);
    // The first call can find nothing.
    await add(id, 1, 3);
    assert.deepEqual(await misses(id), []);
    await add(id, 4, 4);
    assert.deepEqual(await misses(id), [{ member, misses: 3, since: 4_500 }]);
    await add(id, 5, 5, 3_968);
    assert.deepEqual(await misses(id), []);
  });

  it('are looked for among the newest calls, and again only when there is a new one', async () => {
    const id = await ticket();
    await add(id, 1, 1_000);
    const found = await misses(id);
    assert.deepEqual(found, [{ member, misses: 199, since: 804_500 }]);
    assert.deepEqual(reads, [200, 200]);
    assert.equal(await misses(id), found);
    assert.equal(reads.length, 2, 'nothing is read again');
    await add(id, 1_001, 1_001);
    assert.deepEqual(await misses(id), [{ member, misses: 199, since: 805_500 }]);
    assert.equal(reads.length, 4);
  });

  it('are kept for the tickets that were asked about last', async () => {
    const [first = '', ...others] = await Promise.all(Array.from({ length: 21 }, ticket));
    await misses(first);
    for (const other of others.slice(1)) await misses(other);
    await misses(first);
    assert.equal(reads.length, 2 * 20, 'it is still known');
    for (const other of others) await misses(other);
    const before = reads.length;
    await misses(first);
    assert.equal(reads.length, before + 2, 'it was forgotten');
  });

  it('are looked for again with another file of profiles; with one that can’t be read, nothing is said', async () => {
    const id = await ticket();
    await add(id, 1, 4);
    assert.equal((await misses(id)).length, 1);
    const file = join(folder, 'cache-profiles.yaml');
    writeFileSync(file, 'profiles:\n  - model: "openai/*"\n    kind: unknown\n');
    assert.deepEqual(await misses(id), []);
    writeFileSync(file, 'profiles: [');
    assert.deepEqual(await misses(id), []);
  });
});
