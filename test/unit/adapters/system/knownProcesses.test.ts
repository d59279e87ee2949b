import assert from 'node:assert/strict';
import { KnownProcesses } from '../../../../src/adapters/system/processTable.ts';

describe('processes of a system where asking is expensive', () => {
  const world = () => {
    const state = { there: true, start: 'Monday', now: 0, asked: 0 };
    const known = new KnownProcesses({
      isThere: () => state.there,
      startOf: () => {
        state.asked += 1;
        return Promise.resolve(state.there ? state.start : undefined);
      },
      now: () => state.now,
    });
    return { state, isAlive: (start = 'Monday') => known.isAlive({ pid: 7, start }) };
  };

  it('are asked about once a minute, however often somebody wants to know', async () => {
    const { state, isAlive } = world();
    for (; state.now < 180_000; state.now += 1_000) assert.equal(await isAlive(), true);
    assert.equal(state.asked, 3);
  });

  it('are gone at once when their number is', async () => {
    const { state, isAlive } = world();
    await isAlive();
    state.there = false;
    assert.equal(await isAlive(), false);
  });

  it('are not mistaken for another one that has their number', async () => {
    const { state, isAlive } = world();
    assert.equal(await isAlive('Sunday'), false);
    assert.equal(await isAlive(), true);
    state.start = 'Tuesday';
    state.now = 60_000;
    assert.equal(await isAlive(), false);
  });
});
