import assert from 'node:assert/strict';
import { globSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../../../../../src/adapters/store/file/backups.ts';
import { finishedTickets, removeTexts } from '../../../../../src/adapters/store/cleaning/finished.ts';
import { openDatabase } from '../../../../../src/adapters/store/file/openDatabase.ts';
import { SqliteStore } from '../../../../../src/adapters/store/sqliteStore.ts';
import { tempFolder } from '../../../../support/tempFolder.ts';
import { call } from '../../../../support/storeContract/samples.ts';
import { tamper } from '../../../../support/engine/tempStore.ts';
import { newTicket } from '../../../../support/samples.ts';

const now = Date.UTC(2026, 10, 21, 12);
const large = 'x'.repeat(100_000);

describe('the texts of finished tickets', () => {
  let folder: ReturnType<typeof tempFolder>;
  beforeEach(() => (folder = tempFolder('finished')));
  afterEach(() => folder.remove());

  const make = (inputs: readonly [string, string], more: { readonly backUp?: boolean } = {}): void => {
    const opened = openDatabase(
      { folder: folder.path, drive: false, installation: 'mine', adopt: false },
      now,
    );
    assert.ok(opened.mode === 'open');
    const store = new SqliteStore(opened.database, () => now);
    store.adopt();
    for (const input of inputs) {
      const { id } = store.calls.createTicket({ ...newTicket, prefix: 'ABC', title: 'T' });
      store.calls.commit({
        ticket: id,
        journal: [],
        changes: [{ type: 'call', call: call(id, `call-${id}`, { input }) }],
      });
    }
    if (more.backUp === true) backUp(opened.database, now);
    store.close();
    tamper(folder.path, `UPDATE tickets SET status = 'COMPLETED' WHERE id = 'ABC-1'`);
    for (const file of files()) utimesSync(join(folder.path, file), 0, 0);
  };
  const files = (): readonly string[] => globSync('blobs/*/*', { cwd: folder.path });
  const remove = (): void =>
    removeTexts({ folder: folder.path, installation: 'mine', texts: ['ABC-1', 'ABC-2'], sessions: [] }, now);
  const sizes = () => finishedTickets(folder.path).map(({ id, texts }) => [id, texts.count, texts.bytes]);

  it('are removed where no text is so large that it is a file', () => {
    make(['Do it.', 'Do that.']);
    assert.deepEqual(sizes(), [['ABC-1', 1, 9]]);
    remove();
    assert.deepEqual(sizes(), [['ABC-1', 0, 0]]);
  });

  it('go with their files, unless an open ticket has the same text', () => {
    make([large, `${large}!`]);
    assert.deepEqual(sizes(), [['ABC-1', 1, 100_003]]);
    remove();
    assert.equal(files().length, 1);
    folder.remove();
    folder = tempFolder('finished');
    make([large, large]);
    remove();
    assert.equal(files().length, 1);
  });

  it('keep all files as long as a backup can’t be read, or a file is young', () => {
    make([large, 'Do it.'], { backUp: true });
    for (const backup of globSync('backups/*', { cwd: folder.path }))
      writeFileSync(join(folder.path, backup), 'damaged');
    remove();
    assert.equal(files().length, 1);
    folder.remove();
    folder = tempFolder('finished');
    make([large, 'Do it.']);
    for (const file of files()) utimesSync(join(folder.path, file), now / 1_000, now / 1_000);
    remove();
    assert.equal(files().length, 1);
  });
});
