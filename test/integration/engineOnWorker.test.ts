import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Store } from '../../src/engine/ports/storePort.ts';
import { openWorkerStore } from '../../src/adapters/store/workerStore.ts';
import { behaviourOf, EngineWorld } from '../support/engine/engineWorld.ts';
import { folderForEach } from '../support/tempFolder.ts';
import { until } from '../support/until.ts';

const worker = new URL('../../src/adapters/store/worker.ts', import.meta.url);

describe('an engine on the database of another thread', () => {
  const folder = folderForEach('engine-worker');
  let store: Store;
  let world: EngineWorld;
  beforeEach(async () => {
    ({ store } = await openWorkerStore(worker, {
      folder: folder.path,
      drive: true,
      installation: 'mine',
      adopt: false,
    }));
    world = new EngineWorld({
      store,
      folder: folder.path,
      reopen: () => assert.fail('this test has one driver only'),
    });
  });
  afterEach(() => store.close());

  it('is told what its own process wrote, and which of it was a commit', async () => {
    const told: unknown[] = [];
    store.onDidChange((...change) => told.push(change));
    const { id } = await world.ticket();
    await world.post(id, 'pause', {});
    await store.commit({ ticket: id, journal: [{ kind: 'attempts', archivedFrom: 'DRAFT', statuses: [] }] });
    await store.inbox(id);
    assert.deepEqual(told, [[id], [id], [id, 'commit', []]]);
  });

  it('ends a step that is at work when its own process files a cancel', async () => {
    const { id } = await world.ticket();
    const begun = Promise.withResolvers<undefined>();
    let aborted = false;
    const engine = world.start(
      behaviourOf({
        scanRelevantFiles: {
          version: 1,
          run: async (run) => {
            await run.step('work', z.null(), async (io) => {
              begun.resolve(undefined);
              await new Promise<never>((_, reject) => {
                io.signal.addEventListener('abort', () => {
                  aborted = true;
                  reject(io.signal.reason as Error);
                });
              });
              return null;
            });
            return { exit: 'ready' };
          },
        },
      }),
    );
    await begun.promise;
    await world.post(id, 'cancel', { reason: 'no longer needed', deleteWorktree: false });
    await until(async () => (await world.read(id)).status === 'CANCELED', 'the cancel', 5_000);
    assert.ok(aborted);
    await engine.stop();
  });
});
