import assert from 'node:assert/strict';
import * as z from 'zod';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { EngineWorld, scanning, word } from '../../../support/engine/engineWorld.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { until } from '../../../support/until.ts';

describe('The journal of a run', () => {
  let world: EngineWorld;
  let id: string;
  const stores = tempStores();
  beforeEach(async () => {
    world = new EngineWorld(stores());
    id = (await world.ticket()).id;
  });

  it('has everything in the journal before an effect begins, and commits no more often than that', async () => {
    let before: readonly string[] = [];
    const behaviour = scanning(async (run) => {
      await run.take('context', ['context']);
      await run.now('began');
      await run.record('read', z.string(), () => 'what was read');
      await word(run, 'effect', async () => {
        before = await world.kinds(id);
        return 'done';
      });
      await run.record('kept', z.null(), (io) => {
        io.save({
          type: 'artifact',
          artifact: 'user_context',
          content: 'x',
          status: 'SCANNING_RELEVANT_FILES',
          attempt: 1,
        });
        return null;
      });
    });
    await world.driveUntilIdle(behaviour, id);
    assert.deepEqual(before.slice(-5), ['run.opened', 'step.done', 'step.done', 'step.done', 'step.intent']);
    const entries = (await world.store.journal(id)).map(({ entry }) => entry);
    const kept = entries.filter((entry) => 'key' in entry && entry.key === 'kept').map(({ kind }) => kind);
    assert.deepEqual(kept, ['step.done']);
    assert.equal((await world.store.artifact(id, 'user_context'))?.content, 'x');
  });

  it('shows where a run stands when it waits, although nothing was done yet', async () => {
    const waiting = scanning(async (run) => {
      await run.take('context', ['context']);
      await run.wait('gate', ['merge']);
    });
    await world.driveUntilIdle(waiting, id);
    assert.equal((await world.store.openRun(id, 'SCANNING_RELEVANT_FILES'))?.attempt, 1);
    assert.deepEqual((await world.kinds(id)).slice(-2), ['run.opened', 'step.done']);
  });

  it('waits for room when the disk is full just as the run is idle', async () => {
    const commit = world.store.commit.bind(world.store);
    let refused = 0;
    world.store.commit = (transaction) => {
      const opens = transaction.journal.some(
        (entry) => entry.kind === 'run.opened' && entry.run.status === 'SCANNING_RELEVANT_FILES',
      );
      if (!opens || refused > 0) return commit(transaction);
      refused += 1;
      return Promise.reject(new BeadsmithError('DISK_FULL'));
    };
    const waiting = scanning(async (run) => {
      await run.wait('gate', ['merge']);
    });
    const settled = world.driveUntilIdle(waiting, id);
    await until(
      () => world.events.some((event) => event.type === 'hold' && event.hold === 'disk'),
      'the hold',
    );
    await world.clock.advance(5_000);
    assert.equal((await settled).state, 'waiting');
    assert.equal((await world.store.openRun(id, 'SCANNING_RELEVANT_FILES'))?.attempt, 1);
  });

  it('waits for room when the disk is full as an action of a person is taken', async () => {
    const parked = scanning(async (run) => {
      await run.wait('gate', ['merge']);
    });
    await world.driveUntilIdle(parked, id);
    await world.post(id, 'pause', {});
    const commit = world.store.commit.bind(world.store);
    let refused = 0;
    world.store.commit = (transaction) =>
      refused++ === 0 ? Promise.reject(new BeadsmithError('DISK_FULL')) : commit(transaction);
    const settled = world.driveUntilIdle(parked, id);
    await until(
      () => world.events.some((event) => event.type === 'hold' && event.hold === 'disk'),
      'the hold',
    );
    await world.clock.advance(5_000);
    assert.equal((await settled).state, 'held');
    assert.equal((await world.read(id)).hold?.kind, 'paused');
  });

  it('holds the receipt of an effect before the next one begins, and what is over when the process stops', async () => {
    const never = new Promise<string>(() => undefined);
    world.start(
      scanning(async (run) => {
        await word(run, 'first', () => Promise.resolve('done'));
        await word(run, 'second', () => never);
      }),
    );
    await until(
      async () => (await world.kinds(id)).filter((kind) => kind === 'step.intent').length === 2,
      'the second effect',
    );
    assert.deepEqual((await world.kinds(id)).slice(-3), ['step.intent', 'step.done', 'step.intent']);
    world.crash();
    const seen: string[] = [];
    const again = scanning(async (run) => {
      await word(run, 'first', () => Promise.resolve(String(seen.push('first'))));
      await word(run, 'second', () => Promise.resolve(String(seen.push('second'))));
    });
    await world.driveUntilIdle(again, id);
    assert.deepEqual(seen, ['second']);
  });
});
