import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../../src/adapters/store/file/openDatabase.ts';
import { SqliteStore } from '../../../../src/adapters/store/sqliteStore.ts';
import { toBeadsmithError } from '../../../../src/domain/core/errors.ts';
import { Limits } from '../../../../src/domain/settings/settings.ts';
import { type DirectStore, directStore } from '../../../support/engine/tempStore.ts';
import { folderForEach } from '../../../support/tempFolder.ts';
import { bead, createTicket } from '../../../support/storeContract/samples.ts';
import { tamper } from '../../../support/engine/tempStore.ts';

const tickets = ['ABC-1', 'ABC-2', 'ABC-3'];
const pageSize = 4_096;

describe('the file of the database', () => {
  const folder = folderForEach('damaged');
  let path: string;
  let whole: Buffer;
  let truth: string;

  const opened = (adopt = false) =>
    openDatabase({ folder: folder.path, drive: true, installation: 'mine', adopt }, Date.now());
  async function drive(work: (store: DirectStore) => Promise<unknown>): Promise<void> {
    const { database } = opened();
    assert.ok(database);
    database.exec('PRAGMA synchronous = OFF'); // nothing here outlives a power loss
    const sync = new SqliteStore(database, () => Date.now());
    sync.adopt();
    await work(directStore(sync));
    database.close();
  }

  beforeEach(async () => {
    path = join(folder.path, 'state.db');
    await drive(async (store) => {
      for (const id of tickets) {
        await createTicket(store);
        await store.commit({
          ticket: id,
          journal: [{ kind: 'inbox', id: 'a', outcome: 'refused', reason: 'x'.repeat(3_000) }],
          changes: [
            { type: 'ticket', set: { limits: Limits.parse({}) } },
            { type: 'beads', beads: [bead('one'), bead('two')] },
            { type: 'artifact', artifact: 'prd', content: 'PRD '.repeat(1_500), status: 'DRAFT', attempt: 1 },
          ],
        });
      }
    });
    whole = readFileSync(path);
    truth = await contentOf(opened());
  });

  /** Throws the code of what is noticed. */
  async function contentOf(found: ReturnType<typeof openDatabase>): Promise<string> {
    try {
      if (found.mode === 'readOnly') throw found.reason;
      const store = directStore(new SqliteStore(found.database, () => Date.now()));
      const read: unknown[] = [];
      for (const { id, damaged } of await store.summaries()) {
        if (damaged !== undefined) throw new Error(`${id} is shown as damaged`);
        const verdict = await store.verify(id);
        const altered = await store.altered(id);
        if (!verdict.ok || altered.length > 0)
          throw new Error(`${id} is refused: ${JSON.stringify([verdict, altered])}`);
        const { updatedAt: _time, ...ticket } = (await store.ticket(id)) ?? { updatedAt: 0 };
        const plan = (await store.beads(id)).map(({ updatedAt: _at, ...rest }) => rest);
        read.push(ticket, plan, (await store.artifact(id, 'prd'))?.content, (await store.journal(id)).length);
      }
      return JSON.stringify(read);
    } finally {
      found.database?.close();
    }
  }

  /** It is noticed, or nothing that counts differs. */
  async function isSafe(bytes: Buffer): Promise<boolean> {
    writeFileSync(path, bytes);
    rmSync(`${path}-journal`, { force: true });
    try {
      return (await contentOf(opened())) === truth;
    } catch (error) {
      assert.notEqual(toBeadsmithError(error).message, '', 'a person is told');
      return true;
    }
  }

  it('is as it was', async () => assert.ok(await isSafe(whole)));

  it('is noticed wherever it is cut', async () => {
    for (let part = 0; part < 20; part += 1) {
      const at = Math.floor((whole.length * part) / 20) + (part % 3) * 7;
      assert.ok(await isSafe(whole.subarray(0, at)), `cut at ${String(at)}`);
    }
  });

  it('is noticed, or does no harm, wherever a byte is flipped', async () => {
    for (let page = 0; page * pageSize < whole.length; page += 1)
      for (const offset of [3, 9, 700, 2_048, 3_333, 4_090]) {
        const at = page * pageSize + offset;
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ 0x11;
        assert.ok(await isSafe(bytes), `byte ${String(offset)} of page ${String(page)}`);
      }
  });

  it('is noticed when an older copy stands in its place, until a person restores or adopts it', async () => {
    const older = Buffer.from(whole);
    const set = { branch: 'ticket/ABC-2' };
    await drive((store) =>
      store.commit({ ticket: 'ABC-2', journal: [], changes: [{ type: 'ticket', set }] }),
    );
    writeFileSync(path, older);
    const found = opened();
    assert.deepEqual(
      [found.mode, found.mode === 'readOnly' && found.reason.code],
      ['readOnly', 'DATABASE_BEHIND'],
    );
    assert.match(
      found.mode === 'readOnly' ? `${found.reason.message} ${found.reason.nextStep}` : '',
      /ABC-2.*beadsmith restore.*--adopt/,
    );
    found.database?.close();
    const accepted = opened(true);
    assert.equal(accepted.mode, 'open');
    accepted.database.close();
    assert.equal(await contentOf(opened()), truth);
  });

  it('is noticed when the journal of a ticket is cut with all that says so', async () => {
    tamper(folder.path, `DELETE FROM journal WHERE ticket = 'ABC-3' AND seq = 2`);
    const { mode } = opened();
    assert.equal(mode, 'readOnly');
  });

  it('may be newer than what is noted beside it, which may also be half a line or gone', async () => {
    const tips = join(folder.path, 'state.tips');
    copyFileSync(tips, `${tips}.old`);
    await drive((store) =>
      store.commit({ ticket: 'ABC-1', journal: [], changes: [{ type: 'ticket', set: { branch: 'b' } }] }),
    );
    const text = readFileSync(tips, 'utf8');
    for (const noted of [
      readFileSync(`${tips}.old`, 'utf8'),
      text.slice(0, -1),
      text.slice(0, -70),
      `${text}\nABC-1 9`,
      '',
      'x',
    ]) {
      writeFileSync(tips, noted);
      const { mode, database } = opened();
      assert.equal(mode, 'open', noted.slice(-80));
      database.close();
    }
    rmSync(tips);
    opened().database?.close();
    assert.match(
      readFileSync(tips, 'utf8'),
      /^ABC-1 3 [0-9a-f]{64}\nABC-2 2 /,
      'the next driver writes it again',
    );
  });
});
