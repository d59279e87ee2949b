import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type OpenedStore, openStore, type StoreOptions } from '../../src/adapters/store/openStore.ts';
import { schemaVersion } from '../../src/adapters/store/sql/migrations.ts';
import { folderForEach } from '../support/tempFolder.ts';
import { createTicket } from '../support/storeContract/samples.ts';
import { tamper } from '../support/engine/tempStore.ts';

const workerSource = join(import.meta.dirname, '../../src/adapters/store/worker.ts');

describe('openStore', () => {
  const folder = folderForEach('opened');
  let state: string;
  const stores: OpenedStore[] = [];
  beforeEach(() => (state = join(folder.path, 'beadsmith')));
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });
  const open = async (more: Partial<StoreOptions> = {}): Promise<OpenedStore> => {
    const opened = await openStore({
      commonDir: folder.path,
      configFolder: join(folder.path, 'config'),
      mode: 'driver',
      workerUrl: pathToFileURL(workerSource),
      ...more,
    });
    stores.push(opened);
    return opened;
  };
  const outcome = ({ mode, reason, store, owner }: OpenedStore) => [
    mode,
    reason?.code,
    store !== undefined,
    owner !== undefined,
  ];
  /** Closed. */
  const make = async (): Promise<void> => {
    const opened = await open();
    await createTicket(opened.store!);
    await opened.close();
  };
  const owner = () => join(state, 'owner.json');

  it('makes the state folder for this user alone and drives', async () => {
    const opened = await open();
    assert.deepEqual(outcome(opened), ['driver', undefined, true, true]);
    if (process.platform !== 'win32') assert.equal(statSync(state).mode & 0o777, 0o700);
    assert.equal((JSON.parse(readFileSync(owner(), 'utf8')) as { epoch: number }).epoch, 1);
  });

  it('takes two paths to one folder for one', async () => {
    await open();
    const link = join(folder.path, 'link');
    symlinkSync(folder.path, link);
    assert.deepEqual(outcome(await open({ commonDir: link })), ['follower', 'DRIVEN_ELSEWHERE', true, false]);
  });

  it('follows without a reason when that was asked for', async () => {
    await open();
    assert.deepEqual(outcome(await open({ mode: 'follower' })), ['follower', undefined, true, false]);
  });

  it('opens nothing at all when the driver is in another container or on another machine, and says what is known of it', async () => {
    await make();
    const record = {
      host: 'other',
      boot: 'b',
      namespace: '',
      pid: 12,
      started: '1',
      nonce: 'n',
      epoch: 4,
      since: Date.UTC(2026, 0, 2, 3, 4),
    };
    writeFileSync(owner(), JSON.stringify(record));
    for (const mode of ['driver', 'follower'] as const) {
      const opened = await open({ mode });
      assert.deepEqual(outcome(opened), ['readOnly', 'OWNER_ELSEWHERE', false, false]);
      assert.deepEqual(opened.reason?.args, {
        host: 'other',
        pid: 12,
        minutes: 0,
        since: '2026-01-02 03:04 UTC',
      });
      assert.match(opened.reason.nextStep, /--take-over/);
    }
    assert.deepEqual(JSON.parse(readFileSync(owner(), 'utf8')), record);
  });

  it('is taken over when a person says so, and the owner that comes back writes nothing', async () => {
    const first = await open();
    const ticket = await createTicket(first.store!);
    // Its container can't be seen from here.
    const record: unknown = JSON.parse(readFileSync(owner(), 'utf8'));
    writeFileSync(owner(), JSON.stringify({ ...(record as object), namespace: 'pid:[1]' }));
    assert.deepEqual(outcome(await open()), ['readOnly', 'OWNER_ELSEWHERE', false, false]);
    const heir = await open({ takeOver: true });
    assert.equal(heir.mode, 'driver');
    await assert.rejects(first.store!.commit({ ticket: ticket.id, journal: [] }), { code: 'EPOCH_LOST' });
    await heir.store!.commit({ ticket: ticket.id, journal: [] });
  });

  it('shows a newer database and leaves it to others to drive', async () => {
    await make();
    tamper(state, `PRAGMA user_version = ${String(schemaVersion + 1)}`);
    const opened = await open();
    assert.deepEqual(outcome(opened), ['readOnly', 'DATABASE_NEWER', true, false]);
    assert.equal((await opened.store!.tickets()).length, 1);
    await assert.rejects(opened.store!.commit({ ticket: 'ABC-1', journal: [] }));
    await assert.rejects(createTicket(opened.store!), { code: 'DATABASE_READ_ONLY' });
    assert.equal(existsSync(owner()), false);
  });

  it('shows nothing of what is no database, and leaves it as it is', async () => {
    mkdirSync(state);
    writeFileSync(join(state, 'state.db'), 'This is not a database. '.repeat(100));
    const opened = await open();
    assert.deepEqual(outcome(opened), ['readOnly', 'DATABASE_CORRUPT', false, false]);
    assert.deepEqual(readdirSync(state), ['state.db']);
    assert.match(readFileSync(join(state, 'state.db'), 'utf8'), /^This is not/);
  });

  it('asks before it drives what another installation made', async () => {
    await make();
    const configFolder = join(folder.path, 'other-config');
    assert.deepEqual(outcome(await open({ configFolder })), ['readOnly', 'DATABASE_FOREIGN', true, false]);
    assert.deepEqual(outcome(await open({ configFolder, adopt: true })), ['driver', undefined, true, true]);
  });

  it('shows tickets in a folder that may not be written to', async () => {
    await make();
    // In a place that every user can read: root becomes another user here.
    const workerFile = join(folder.path, 'worker.mjs');
    // As in the build: packages in CommonJS ask for `require`.
    const banner = {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    };
    await build({
      entryPoints: [workerSource],
      outfile: workerFile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner,
      logLevel: 'silent',
    });
    chmodSync(join(state, 'state.db'), 0o444);
    chmodSync(state, 0o555);
    chmodSync(folder.path, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const opened = await open({ workerUrl: pathToFileURL(workerFile) });
      assert.deepEqual(outcome(opened), ['readOnly', 'DATABASE_READ_ONLY', true, false]);
      assert.equal((await opened.store!.tickets()).length, 1);
      await assert.rejects(createTicket(opened.store!), { code: 'DATABASE_READ_ONLY' });
      await opened.close();
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder.path, 0o755);
      chmodSync(state, 0o755);
    }
    assert.equal(existsSync(owner()), false);
  });

  it('refuses a folder that is not there', async () => {
    await assert.rejects(open({ commonDir: join(folder.path, 'nowhere') }), /ENOENT/);
  });
});
