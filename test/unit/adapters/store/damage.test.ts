import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testClient } from '../../../support/engine/testClient.ts';
import { type TempStore, tempStores } from '../../../support/engine/tempStore.ts';
import { bead, call, createTicket, runOpened } from '../../../support/storeContract/samples.ts';
import { tamper } from '../../../support/engine/tempStore.ts';

const id = 'ABC-1';

describe('damage to a store', () => {
  const newStore = tempStores();
  let temp: TempStore;
  beforeEach(async () => {
    temp = newStore();
    const ticket = await createTicket(temp.store);
    await temp.store.commit({ ticket: id, journal: [runOpened(ticket)] });
    for (const key of ['a', 'b', 'c'])
      await temp.store.commit({
        ticket: id,
        journal: [{ kind: 'step.done', run: 'run-1', key, result: `result ${key}` }],
      });
    assert.deepEqual(await temp.store.verify(id), { ok: true, length: 5 });
  });

  const cases: readonly { readonly what: string; readonly sql: string; readonly seq: number }[] = [
    {
      what: 'a changed result',
      sql: `UPDATE journal SET entry = replace(entry, 'result b', 'result x') WHERE seq = 4`,
      seq: 4,
    },
    { what: 'a changed time', sql: 'UPDATE journal SET at = at + 1 WHERE seq = 3', seq: 3 },
    { what: 'a changed epoch', sql: 'UPDATE journal SET epoch = 9 WHERE seq = 3', seq: 3 },
    {
      what: 'a changed hash',
      sql: `UPDATE journal SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 2`,
      seq: 2,
    },
    { what: 'a changed link', sql: `UPDATE journal SET prev_hash = '' WHERE seq = 5`, seq: 5 },
    { what: 'a removed entry', sql: 'DELETE FROM journal WHERE seq = 3', seq: 3 },
    { what: 'a cut-off tail', sql: 'DELETE FROM journal WHERE seq = 5', seq: 5 },
    { what: 'an emptied journal', sql: 'DELETE FROM journal', seq: 1 },
    { what: 'an entry of another type', sql: 'UPDATE journal SET entry = 7 WHERE seq = 4', seq: 4 },
  ];
  for (const { what, sql, seq } of cases)
    it(`${what} is found by verify`, async () => {
      tamper(temp.folder, sql);
      assert.deepEqual(await temp.store.verify(id), { ok: false, seq });
    });

  it('one flipped byte of the file inside a row is found, though SQLite sees nothing wrong', async () => {
    temp.store.sync.close();
    const file = join(temp.folder, 'state.db');
    const bytes = readFileSync(file);
    // Page splits may leave an old copy of a row in free space.
    let found = 0;
    for (let at = bytes.indexOf('result b'); at !== -1; at = bytes.indexOf('result b', at + 1)) {
      const flipped = Buffer.from(bytes);
      flipped[at] = 'R'.charCodeAt(0);
      writeFileSync(file, flipped);
      const store = temp.reopen();
      const verdict = await store.verify(id);
      if (!verdict.ok) found = verdict.seq;
      store.sync.close();
    }
    assert.equal(found, 4);
  });

  it('of a large text is found wherever it is read', async () => {
    const large = 'x'.repeat(70_000);
    await temp.store.commit({
      ticket: id,
      journal: [{ kind: 'step.done', run: 'run-1', key: 'd', result: large }],
      changes: [
        { type: 'artifact', artifact: 'prd', content: large, status: 'DRAFT', attempt: 1 },
        { type: 'call', call: call(id, 'c', { input: large }) },
      ],
    });
    const files = globSync('blobs/*/*', { cwd: temp.folder }).map((name) => join(temp.folder, name));
    assert.equal(files.length, 2); // the entry, and the text that artifact and call share
    for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replace('xxx', 'xyx'));
    assert.deepEqual(await temp.store.verify(id), { ok: false, seq: 6 });
    await assert.rejects(temp.store.artifact(id, 'prd'), { code: 'DATABASE_CORRUPT' });
    await assert.rejects(temp.store.calls(id), { code: 'DATABASE_CORRUPT' });
    for (const file of files) rmSync(file);
    assert.deepEqual(await temp.store.verify(id), { ok: false, seq: 6 });
    await assert.rejects(temp.store.steps('run-1'), { code: 'DATABASE_CORRUPT' });
  });

  it('of an artifact in a row is found when it is read', async () => {
    await temp.store.commit({
      ticket: id,
      journal: [],
      changes: [{ type: 'artifact', artifact: 'prd', content: 'good', status: 'DRAFT', attempt: 1 }],
    });
    tamper(temp.folder, `UPDATE artifacts SET content = 'evil'`);
    await assert.rejects(temp.store.artifact(id, 'prd'), { code: 'DATABASE_CORRUPT' });
  });

  describe('a ticket that can’t be read', () => {
    const damages: readonly (readonly [what: string, sql: string, reason: RegExp])[] = [
      [
        'a row that is no JSON',
        `UPDATE tickets SET body = substr(body, 1, 40) WHERE id = 'ABC-1'`,
        /no JSON/,
      ],
      [
        'a row without a title',
        `UPDATE tickets SET body = json_remove(body, '$.title') WHERE id = 'ABC-1'`,
        /title/,
      ],
      [
        'a row of another type',
        `UPDATE tickets SET body = json_set(body, '$.updatedAt', 'x') WHERE id = 'ABC-1'`,
        /updatedAt/,
      ],
      ['a status that doesn’t exist', `UPDATE tickets SET status = 'SOMEWHERE' WHERE id = 'ABC-1'`, /status/],
    ];
    for (const [what, sql, reason] of damages)
      it(`is shown as damaged, and the others work: ${what}`, async () => {
        const { store } = temp;
        await createTicket(store);
        tamper(temp.folder, sql);
        const [damaged, other] = await testClient(store).tickets();
        assert.match(damaged?.damaged ?? '', reason);
        assert.deepEqual(
          [damaged?.id, damaged?.label, damaged?.actions, damaged?.needsPerson],
          ['ABC-1', 'Damaged', [], true],
        );
        assert.deepEqual([other?.id, other?.title, other?.damaged], ['ABC-2', 'Greet', undefined]);
        assert.deepEqual(
          (await store.tickets()).map((ticket) => ticket.id),
          ['ABC-2'],
        );
        await assert.rejects(testClient(store).ticket('ABC-1'), {
          code: 'TICKET_DAMAGED',
          nextStep: /beadsmith restore/,
        });
        await testClient(store).act('ABC-2', 'cancel', { reason: '', deleteWorktree: false });
        assert.equal((await store.inbox('ABC-2')).length, 1);
      });

    it('has a plan that can’t be read, and says of which ticket', async () => {
      await temp.store.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'beads', beads: [bead('one')] }],
      });
      tamper(temp.folder, `UPDATE beads SET body = 'x'`);
      await createTicket(temp.store);
      const [damaged, other] = await temp.store.summaries();
      assert.deepEqual([damaged?.damaged, other?.damaged], ['it is no JSON', undefined]);
      await assert.rejects(temp.store.beads(id), { code: 'TICKET_DAMAGED' });
      assert.deepEqual(await temp.store.beads('ABC-2'), []);
    });
  });
});
