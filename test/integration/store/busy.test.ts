import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { SqliteDatabase } from '../../../src/adapters/store/sqlite/database.ts';
import {
  openWorkerStore,
  type StoreState,
  type WorkerStore,
} from '../../../src/adapters/store/workerStore.ts';
import { behaviourOf, EngineWorld } from '../../support/engine/engineWorld.ts';
import { folderForEach } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';
import { createTicket } from '../../support/storeContract/samples.ts';

const worker = new URL('../../../src/adapters/store/worker.ts', import.meta.url);

describe('A database that another process has locked', () => {
  const folder = folderForEach('busy');
  let opened: WorkerStore;
  let other: SqliteDatabase;
  beforeEach(async () => {
    opened = await openWorkerStore(worker, {
      folder: folder.path,
      drive: true,
      installation: 'mine',
      adopt: false,
    });
    other = new SqliteDatabase(folder.path);
  });
  afterEach(async () => {
    other.close();
    await opened.store.close();
  });
  const lockedFor = async (ms: number): Promise<void> => {
    other.exec('BEGIN IMMEDIATE');
    await pause(ms); // how long it is locked is what this is about
    other.exec('ROLLBACK');
  };

  it('gets writes in the order in which they were issued', async () => {
    const { store } = opened;
    const ticket = await createTicket(store);
    const ids = Array.from({ length: 12 }, (_, index) => `e${String(index)}`);
    // At different moments of the retries.
    for (const ms of [60, 130, 200, 270, 340]) {
      const free = lockedFor(ms);
      const mine = ids.map((id) => `${String(ms)}-${id}`);
      await Promise.all(mine.map((id) => store.post({ id, ticket: ticket.id, kind: 'pause', body: {} })));
      await free;
      assert.deepEqual((await store.inbox(ticket.id)).map(({ id }) => id).slice(-ids.length), mine);
    }
  });

  it('delays a drive and loses none of its branches', async () => {
    const { store } = opened;
    const world = new EngineWorld({
      store,
      folder: folder.path,
      reopen: () => assert.fail('this test has one driver only'),
    });
    const { id } = await world.ticket();
    const members = ['a', 'b', 'c', 'd', 'e'];
    const answers: unknown[] = [];
    const engine = world.start(
      behaviourOf({
        scanRelevantFiles: {
          version: 1,
          run: async (run) => {
            for (let round = 0; round < 4; round += 1) {
              const free = lockedFor(100 + 40 * round);
              const settled = await run.all(
                Object.fromEntries(
                  members.map((member) => [
                    `${member}${String(round)}`,
                    async (branch) => {
                      const session = `${member}${String(round)}`;
                      await branch.record('session', z.null(), (io) => {
                        io.save({
                          type: 'session',
                          session: {
                            id: session,
                            ticket: id,
                            run: 'r',
                            step: 's',
                            member,
                            bead: null,
                            iteration: null,
                            directory: '',
                            title: '',
                            state: 'active',
                          },
                        });
                        return null;
                      });
                      for (const step of ['one', 'two', 'three'])
                        await branch.step(step, z.null(), async (io) => {
                          io.save({ type: 'session.state', id: session, state: 'completed' });
                          return null;
                        });
                      return member;
                    },
                  ]),
                ),
              );
              answers.push(...Object.values(settled).map((one) => (one.ok ? one.value : one.error)));
              await free;
            }
            return { exit: 'ready' };
          },
        },
      }),
    );
    await until(
      async () => (await world.read(id)).status !== 'SCANNING_RELEVANT_FILES' && answers.length === 20,
      'the end of the run',
      20_000,
    );
    assert.deepEqual(answers, Array.from({ length: 4 }, () => members).flat());
    assert.deepEqual((await store.verify(id)).ok, true);
    await engine.stop();
  });

  it('is said to be waited for after a while, and no longer afterwards', async () => {
    const { store } = opened;
    const ticket = await createTicket(store);
    const states: StoreState['kind'][] = [];
    opened.onDidChangeState(({ kind }) => states.push(kind));
    other.exec('BEGIN IMMEDIATE');
    const write = store.commit({ ticket: ticket.id, journal: [] });
    await until(() => states.length > 0, 'the store says that it waits', 6_000);
    // People can still look.
    assert.equal((await store.ticket(ticket.id))?.id, ticket.id);
    other.exec('ROLLBACK');
    await write;
    assert.deepEqual(states, ['waiting', 'ready']);
  });

  it("doesn't keep a process that is about to end", async () => {
    const { store } = opened;
    const ticket = await createTicket(store);
    other.exec('BEGIN IMMEDIATE');
    const write = store.commit({ ticket: ticket.id, journal: [] });
    const started = performance.now();
    await Promise.all([assert.rejects(write, { code: 'DATABASE_BUSY' }), store.close()]);
    assert.ok(performance.now() - started < 4_000);
  });
});
