import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Engine } from '../../../../src/engine/drive/engine.ts';
import { behaviourOf, EngineWorld, stay } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { testClient } from '../../../support/engine/testClient.ts';
import { until } from '../../../support/until.ts';

const hour = 3_600_000;

describe('a wait for a provider', () => {
  const stores = tempStores();
  let world: EngineWorld;
  let id: string;
  let engine: Engine;
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
    engine = start();
    await held();
  });
  afterEach(() => engine.stop());

  const waiting = behaviourOf({
    scanRelevantFiles: {
      version: 1,
      run: async (run) => {
        await run.step('call', z.null(), async (io) => {
          await io.hold({
            id: 'w',
            kind: 'quota',
            until: world.clock.now() + 4 * hour,
            detail: 'come back later',
          });
          return null;
        });
        return { exit: 'ready' };
      },
    },
    draftInterview: stay,
  });
  const start = (): Engine => {
    const started = world.start(waiting);
    started.drive(id);
    return started;
  };
  const held = () => until(async () => (await world.read(id)).hold?.kind === 'quota', 'the ticket is held');
  const over = () =>
    until(async () => (await world.read(id)).status === 'COUNCIL_DELIBERATING', 'the wait is over');
  const chosen = (at: number) =>
    until(async () => (await world.read(id)).hold?.until === at, 'the time is shown');

  for (const [what, hours] of [
    ['earlier', 1],
    ['later', 9],
  ] as const)
    it(`ends at a time that a person chose, ${what} than the provider’s, in this process and in the next`, async () => {
      const at = world.clock.now() + hours * hour;
      await testClient(world.store).act(id, 'resume', { at });
      await chosen(at);
      assert.equal((await world.read(id)).hold?.detail, 'come back later');
      await engine.stop();
      engine = start();
      await world.clock.advance(hours * hour - 60_000);
      assert.equal((await world.read(id)).hold?.until, at);
      await world.clock.advance(60_000);
      await over();
      assert.equal((await world.read(id)).hold, null);
    });

  it('ends at once for a time that has passed, and for none', async () => {
    await testClient(world.store).act(id, 'resume', { at: world.clock.now() - 1 });
    await over();
  });

  it('can be ended although a time was chosen', async () => {
    const at = world.clock.now() + hour;
    await testClient(world.store).act(id, 'resume', { at });
    await chosen(at);
    await testClient(world.store).act(id, 'resume', {});
    await over();
  });

  it('is the only hold that ends at a time', async () => {
    await testClient(world.store).act(id, 'pause', {});
    await until(async () => (await world.read(id)).hold?.kind === 'paused', 'it is paused');
    const entry = await world.post(id, 'resume', { at: world.clock.now() + hour });
    await until(
      async () => (await world.store.inbox(id)).find((one) => one.id === entry)?.outcome !== null,
      'it is refused',
    );
    assert.equal(
      (await world.store.inbox(id)).find((one) => one.id === entry)?.outcome?.code,
      'INVALID_INPUT',
    );
    assert.equal((await world.read(id)).hold?.kind, 'paused');
  });
});
