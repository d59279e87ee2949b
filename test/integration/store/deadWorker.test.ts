import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/adapters/store/openStore.ts';
import {
  openWorkerStore,
  type StoreState,
  type WorkerStore,
} from '../../../src/adapters/store/workerStore.ts';
import { folderForEach } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';
import { createTicket } from '../../support/storeContract/samples.ts';

const real = new URL('../../../src/adapters/store/worker.ts', import.meta.url);

/**
 * It dies (or hangs) once for each file that `deaths` made, after a write and before it could say so.
 * `postMessage` is replaced.
 */
const dying = (folder: string, how: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
import { existsSync, rmSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
const say = parentPort.postMessage.bind(parentPort);
const writes = new Set();
parentPort.on('message', ({ id, method }) => { if (['commit', 'post', 'tickets'].includes(method)) writes.add(id); });
parentPort.postMessage = (message) => {
  if (message.type === 'answer' && writes.has(message.id))
    for (const death of ['1', '2', '3', '4'])
      if (existsSync(${JSON.stringify(folder)} + '/death-' + death)) { rmSync(${JSON.stringify(folder)} + '/death-' + death); ${how} }
  say(message);
};
await import(${JSON.stringify(real.href)});
`)}`,
  );

describe('A thread of the database that dies', () => {
  const folder = folderForEach('dead-worker');
  const opened: WorkerStore[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ store }) => store.close())));
  const open = async (how: string, silentMs = 60_000): Promise<WorkerStore> => {
    const worker = await openWorkerStore(
      dying(folder.path, how),
      { folder: folder.path, drive: true, installation: 'mine', adopt: false },
      { silentMs },
    );
    opened.push(worker);
    return worker;
  };
  const deaths = (count: number): void => {
    for (let n = 1; n <= count; n += 1) writeFileSync(join(folder.path, `death-${String(n)}`), '');
  };

  for (const [what, how] of [
    ['ends', 'process.exit(3)'],
    ['throws', 'setImmediate(() => { throw new Error("pop"); }); return;'],
    ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));'],
    ['hangs', 'for (;;);'],
  ] as const)
    it(`and ${what} is replaced, and nothing that it wrote is written twice`, async () => {
      const { store } = await open(what === 'runs out of memory' ? how.replace('1e6', '1e5') : how, 2_000);
      const ticket = await createTicket(store);
      deaths(1);
      const first = store.commit({
        ticket: ticket.id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      });
      const second = store.commit({
        ticket: ticket.id,
        journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }],
      });
      const read = store.ticket(ticket.id);
      assert.deepEqual([(await first).seq, (await second).seq, (await read)?.id], [2, 3, ticket.id]);
      assert.deepEqual(await store.verify(ticket.id), { ok: true, length: 3 });
    });

  it('again and again is given up, within five seconds, and lets another process drive', async () => {
    const started = performance.now();
    const driver = await openStore({
      commonDir: folder.path,
      configFolder: join(folder.path, 'config'),
      mode: 'driver',
      workerUrl: dying(folder.path, 'process.exit(3)'),
    });
    const ticket = await createTicket(driver.store!);
    const states: StoreState[] = [];
    driver.onDidChangeState((state) => states.push(state));
    deaths(4);
    await assert.rejects(driver.store!.commit({ ticket: ticket.id, journal: [] }), { code: 'DATABASE_LOST' });
    await assert.rejects(driver.store!.tickets(), { code: 'DATABASE_LOST' });
    assert.equal(states.at(-1)?.kind, 'lost');
    await until(
      () => !existsSync(join(folder.path, 'beadsmith', 'owner.json')),
      'the owner file is gone',
      2_000,
    );
    assert.ok(performance.now() - started < 10_000);
    await driver.close();
  });

  it('leaves nothing to its successor when another process has taken over', async () => {
    const { store } = await open('process.exit(3)');
    const ticket = await createTicket(store);
    const heir = await openWorkerStore(real, {
      folder: folder.path,
      drive: true,
      installation: 'mine',
      adopt: false,
    });
    opened.push(heir);
    deaths(1);
    await store.tickets(); // it dies of this
    await assert.rejects(store.commit({ ticket: ticket.id, journal: [] }), { code: 'EPOCH_LOST' });
    await heir.store.commit({ ticket: ticket.id, journal: [] });
  });

  it('of one read is not asked for that again', async () => {
    const { store } = await open('process.exit(3)');
    await createTicket(store);
    deaths(2);
    await assert.rejects(store.tickets(), { code: 'DATABASE_LOST' });
    assert.equal((await store.tickets()).length, 1);
  });
});
