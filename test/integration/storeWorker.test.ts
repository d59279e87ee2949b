import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/adapters/clock/systemClock.ts';
import { SqliteDatabase } from '../../src/adapters/store/sqlite/database.ts';
import type { Store } from '../../src/engine/ports/storePort.ts';
import { openWorkerStore } from '../../src/adapters/store/workerStore.ts';
import { BeadsmithError } from '../../src/domain/core/errors.ts';
import { folderForEach } from '../support/tempFolder.ts';
import { until } from '../support/until.ts';
import { createTicket, runOpened } from '../support/storeContract/samples.ts';
import { tamper } from '../support/engine/tempStore.ts';

const worker = new URL('../../src/adapters/store/worker.ts', import.meta.url);
const methods = ['tickets', 'ticket', 'inbox'];
const opened = { type: 'opened', opened: { mode: 'open', epoch: 1, readable: true, methods, reason: null } };
/** Says it is open, and does `then` with the first request. */
const broken = (then: string) =>
  new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.postMessage(${encodeURIComponent(JSON.stringify(opened))}); parentPort.once('message', () => { ${then} });`,
  );

describe('WorkerStore', () => {
  const folder = folderForEach('worker');
  const stores: Store[] = [];
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
  const open = async (drive = true, url = worker): Promise<Store> => {
    const { store } = await openWorkerStore(url, {
      folder: folder.path,
      drive,
      installation: 'mine',
      adopt: false,
    });
    stores.push(store);
    return store;
  };

  it('serves the port from another thread, errors included', async () => {
    const store = await open();
    const ticket = await createTicket(store);
    await store.commit({
      ticket: ticket.id,
      journal: [runOpened(ticket), { kind: 'step.done', run: 'run-1', key: 'a', result: [1, null] }],
    });
    assert.deepEqual((await store.steps('run-1'))[0]?.result, [1, null]);
    assert.deepEqual(await store.verify(ticket.id), { ok: true, length: 3 });
    await assert.rejects(store.commit({ ticket: 'ABC-9', journal: [] }), (error: unknown) => {
      assert.ok(error instanceof BeadsmithError);
      assert.deepEqual([error.code, error.args], ['TICKET_UNKNOWN', { ticket: 'ABC-9' }]);
      return true;
    });
  });

  it('keeps the order of writes that were sent without waiting', async () => {
    const store = await open();
    const ticket = await createTicket(store);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    await Promise.all(
      numbers.map((n) => store.post({ id: `e${String(n)}`, ticket: ticket.id, kind: 'pause', body: {} })),
    );
    assert.deepEqual(
      (await store.inbox(ticket.id)).map(({ id }) => id),
      numbers.map((n) => `e${String(n)}`),
    );
  });

  it('tells of its own commits at once and of those of others within a second', async () => {
    const [driver, follower] = [await open(), await open(false)];
    const told: (string | undefined)[] = [];
    driver.onDidChange((ticket) => told.push(ticket));
    const ticket = await createTicket(follower);
    await until(() => told.length > 0, 'the driver heard of the ticket', 1_500);
    await driver.commit({
      ticket: ticket.id,
      journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
    });
    assert.deepEqual(told, [undefined, ticket.id]);
  });

  it('gives a driver its tickets and documents as they are after each change, and as objects of their own', async () => {
    const driver = await open();
    const ticket = await createTicket(driver);
    const told: (string | undefined)[] = [];
    const reads = (): Promise<unknown>[] => [
      driver.ticket(ticket.id).then((one) => one?.title),
      driver.artifact(ticket.id, 'prd').then((one) => one?.content),
    ];
    driver.onDidChange(() => void reads()[0]?.then((title) => told.push(String(title))));
    assert.deepEqual(await Promise.all(reads()), [ticket.title, undefined]);
    const early = reads();
    const commit = driver.commit({
      ticket: ticket.id,
      journal: [],
      changes: [
        { type: 'ticket', set: { title: 'Another' } },
        { type: 'artifact', artifact: 'prd', content: 'first', status: 'DRAFT', attempt: 1 },
      ],
    });
    const late = reads();
    await commit;
    assert.deepEqual(await Promise.all(reads()), ['Another', 'first']);
    await Promise.all([...early, ...late]);
    assert.deepEqual(await Promise.all(reads()), ['Another', 'first']);
    assert.deepEqual(told, ['Another']);
    const mine = await driver.ticket(ticket.id);
    Object.assign(mine ?? {}, { title: 'Mine' });
    assert.equal((await driver.ticket(ticket.id))?.title, 'Another');
    tamper(
      folder.path,
      `UPDATE tickets SET body = json_set(body, '$.title', 'Changed') WHERE id = '${ticket.id}'`,
    );
    await until(
      async () => (await driver.ticket(ticket.id))?.title === 'Changed',
      'what another process wrote was read',
      1_500,
    );
  });

  it('waits for a lock that another process holds, without failing', async () => {
    const store = await open();
    const ticket = await createTicket(store);
    const other = new SqliteDatabase(folder.path);
    other.exec('BEGIN EXCLUSIVE');
    let done = false;
    const writing = store.commit({ ticket: ticket.id, journal: [] }).then(() => {
      done = true;
    });
    const reading = store.ticket(ticket.id);
    // Longer than SQLite may wait, so that the call is tried again.
    await systemClock.sleep(150);
    assert.equal(done, false);
    other.exec('COMMIT');
    other.close();
    await Promise.all([writing, reading]);
  });

  it('settles every call when its worker dies', async () => {
    for (const [then, said] of [
      ['process.exit(3)', /ended/],
      ['throw new Error("pop")', /pop/],
      ['parentPort.postMessage({ type: "nonsense" })', /unreadable message/],
    ] as const) {
      const store = await open(true, broken(then));
      const calls = [store.tickets(), store.ticket('ABC-1'), store.inbox('ABC-1')];
      for (const call of calls) await assert.rejects(call, said);
      await assert.rejects(store.tickets(), { code: 'DATABASE_LOST' });
      await store.close();
    }
  });

  it('fails to open when there is no worker to start', async () => {
    await assert.rejects(open(true, new URL('./nowhere.ts', import.meta.url)), { code: 'UNEXPECTED' });
  });

  it('finishes what is under way before it closes, and refuses what comes later', async () => {
    const store = await open();
    const created = createTicket(store);
    await store.close();
    assert.equal((await created).id, 'ABC-1');
    await assert.rejects(store.tickets(), { code: 'UNEXPECTED' });
    await store.close();
    tamper(folder.path, 'PRAGMA user_version'); // nobody holds the file any more
  });

  it('ends within seconds although its thread is still busy with the last backup', async () => {
    const store = await open(true, broken('for (;;);'));
    const started = performance.now();
    await store.close();
    assert.ok(performance.now() - started < 5_000);
  });

  it('keeps a backup of what its driver changed, when it is closed', async () => {
    const store = await open();
    await createTicket(store);
    await store.close();
    const [, last = ''] = readdirSync(join(folder.path, 'backups')).sort();
    const copy = new SqliteDatabase(join(folder.path, 'backups'), { readOnly: true, file: last });
    assert.equal(copy.all('SELECT id FROM tickets').length, 1);
    copy.close();
  });

  it('refuses what cannot cross between threads, and continues', async () => {
    const store = await open();
    const ticket = await createTicket(store);
    const body = { type: 'artifact', artifact: 'prd', content: '1', status: 'DRAFT', attempt: 1 } as const;
    const poisoned = { ...body, content: (() => 1) as unknown as string };
    await assert.rejects(
      store.commit({ ticket: ticket.id, journal: [], changes: [poisoned] }),
      /could not be cloned/,
    );
    assert.deepEqual(await store.commit({ ticket: ticket.id, journal: [], changes: [body] }), {
      seq: 2,
      revision: 0,
    });
  });
});
