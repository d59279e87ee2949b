import assert from 'node:assert/strict';
import * as z from 'zod';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { Limits, Settings } from '../../../../src/domain/settings/settings.ts';
import { Engine } from '../../../../src/engine/drive/engine.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';

describe('A drive that ends in an error', () => {
  let world: EngineWorld;
  let id: string;
  let entered = 0;
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
    entered = 0;
  });
  const behaviour = behaviourOf({
    scanRelevantFiles: {
      version: 1,
      run: async (run) => {
        entered += 1;
        await run.wait('gate', ['merge']);
        return { exit: 'ready' };
      },
    },
  });
  const failing = (times: number, code: 'UNEXPECTED' | 'PUSH_REFUSED' = 'UNEXPECTED'): void => {
    const openRun = world.store.openRun.bind(world.store);
    let left = times;
    world.store.openRun = (...args) => {
      if (left === 0) return openRun(...args);
      left -= 1;
      return Promise.reject(new BeadsmithError(code, { reason: 'the row is odd', seconds: 1 }));
    };
  };
  const passing = async (what: string, is: () => boolean | Promise<boolean>): Promise<void> => {
    await until(async () => {
      await world.clock.advance(1_000);
      return is();
    }, what);
  };

  it('is started again after a pause', async () => {
    failing(2);
    const engine = world.start(behaviour);
    await passing('it works on', () => entered > 0);
    assert.equal((await world.read(id)).status, 'SCANNING_RELEVANT_FILES');
    await engine.stop();
  });

  it('blocks the ticket at the third time, and says why', async () => {
    failing(3);
    const engine = world.start(behaviour);
    await passing('it is blocked', async () => (await world.read(id)).status === 'BLOCKED_ERROR');
    const { error } = await world.read(id);
    assert.deepEqual([error?.code, error?.args['count']], ['DRIVE_FAILED', 3]);
    assert.match(String(error?.args['reason']), /the row is odd/);
    assert.ok(world.events.some((event) => event.type === 'blocked' && event.code === 'DRIVE_FAILED'));
    await engine.stop();
  });

  it('blocks the ticket at once where a remote refused its commits, and says that', async () => {
    failing(1, 'PUSH_REFUSED');
    const engine = world.start(behaviour);
    await passing('it is blocked', async () => (await world.read(id)).status === 'BLOCKED_ERROR');
    assert.equal((await world.read(id)).error?.code, 'PUSH_REFUSED');
    await engine.stop();
  });

  it('carries a decision at a gate out once a person retries it, and asks nobody again', async () => {
    let isRefused = true;
    const commit = world.store.commit.bind(world.store);
    world.store.commit = (transaction) =>
      isRefused && transaction.journal.some((one) => one.kind === 'step.done' && one.key === 'start')
        ? Promise.reject(new BeadsmithError('PUSH_REFUSED'))
        : commit(transaction);
    const engine = world.start(
      behaviourOf({
        draft: {
          version: 1,
          run: async (run) => {
            await run.wait('decision', ['start']);
            await run.step('start', z.null(), () => Promise.resolve(null));
            return { exit: 'start' };
          },
        },
        scanRelevantFiles: stay,
      }),
    );
    const settings = Settings.parse({ mainImplementer: 'demo/main' });
    await world.post(id, 'start', { settings, limits: Limits.parse({}) });
    await passing('it is blocked', async () => (await world.read(id)).status === 'BLOCKED_ERROR');
    isRefused = false;
    await world.post(id, 'retry', { note: '' });
    await passing('it starts', async () => (await world.read(id)).status === 'SCANNING_RELEVANT_FILES');
    await engine.stop();
  });

  it('waits for space where its disk is full, for every machine to see', async () => {
    let isFull = true;
    const engine = world.start(
      behaviourOf({
        scanRelevantFiles: {
          version: 1,
          run: async (run) => {
            if (isFull) throw Object.assign(new Error('write'), { code: 'ENOSPC' });
            entered += 1;
            await run.wait('gate', ['merge']);
            return { exit: 'ready' };
          },
        },
      }),
    );
    await passing('it is held', async () => (await world.read(id)).hold?.kind === 'disk');
    isFull = false;
    await passing('it works on', () => entered > 0);
    assert.deepEqual((await world.read(id)).hold, null);
    await engine.stop();
  });

  it('continues when the database was only busy, however often', async () => {
    const verify = world.store.verify.bind(world.store);
    let left = 5;
    world.store.verify = (ticket) =>
      left-- > 0 ? Promise.reject(new BeadsmithError('DATABASE_BUSY', { seconds: 1 })) : verify(ticket);
    const engine = world.start(behaviour);
    await passing('it works on', () => entered > 0);
    await engine.stop();
  });
});

describe('A process that dies while a ticket is at work', () => {
  const stores = tempStores();
  const working = behaviourOf({
    scanRelevantFiles: {
      version: 1,
      run: async (run) => {
        await run.step('work', z.null(), () => new Promise<null>(() => undefined));
        return { exit: 'ready' };
      },
    },
  });
  const die = async (world: EngineWorld): Promise<void> => {
    const engine = new Engine(world.ports, working);
    await engine.start({ afterCrash: true });
    world.crash();
  };
  const atWork = async (world: EngineWorld): Promise<string> => {
    const { id } = await world.ticket();
    world.start(working);
    await until(
      async () => (await world.store.openRun(id, 'SCANNING_RELEVANT_FILES')) !== undefined,
      'it is at work',
    );
    world.crash();
    return id;
  };

  it('blocks it at the third time within ten minutes, in any status', async () => {
    const world = new EngineWorld(stores());
    const id = await atWork(world);
    for (const status of ['SCANNING_RELEVANT_FILES', 'SCANNING_RELEVANT_FILES', 'BLOCKED_ERROR']) {
      await die(world);
      assert.equal((await world.read(id)).status, status);
      await world.clock.advance(60_000);
    }
    assert.equal((await world.read(id)).error?.code, 'CRASH_LOOP');
  });

  it('lets a retry of one count from the start, and leaves the others blocked', async () => {
    const world = new EngineWorld(stores());
    const id = await atWork(world);
    const other = await atWork(world);
    for (let n = 0; n < 3; n += 1) await die(world);
    await world.store.post({ id: 'again', ticket: id, kind: 'retry', body: { note: '' } });
    const statuses = async (): Promise<readonly string[]> => [
      (await world.read(id)).status,
      (await world.read(other)).status,
    ];
    assert.deepEqual(await statuses(), ['BLOCKED_ERROR', 'BLOCKED_ERROR']);
    const engine = new Engine(world.ports, working);
    await engine.start();
    await until(
      async () => (await world.store.openRun(id, 'SCANNING_RELEVANT_FILES')) !== undefined,
      'it is at work again',
    );
    world.crash();
    for (let n = 0; n < 2; n += 1) {
      await die(world);
      assert.deepEqual(await statuses(), ['SCANNING_RELEVANT_FILES', 'BLOCKED_ERROR']);
    }
  });

  it("doesn't when they are further apart, or only the clock says so", async () => {
    const world = new EngineWorld(stores());
    const id = await atWork(world);
    for (let n = 0; n < 4; n += 1) {
      await die(world);
      await world.clock.advance(400_000);
    }
    assert.equal((await world.read(id)).status, 'SCANNING_RELEVANT_FILES');
  });

  it("doesn't count for a ticket that waits for a person", async () => {
    const world = new EngineWorld(stores());
    const { id } = await world.ticket();
    await world.store.commit({
      ticket: id,
      journal: [],
      changes: [{ type: 'ticket', set: { hold: { kind: 'paused', since: 1, detail: '' } } }],
    });
    for (let n = 0; n < 4; n += 1) await die(world);
    assert.notEqual((await world.read(id)).status, 'BLOCKED_ERROR');
  });
});
