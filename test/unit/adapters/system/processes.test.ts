import assert from 'node:assert/strict';
import {
  StartTimes,
  identityOf,
  isAlive,
  livenessOf,
  ownIdentity,
  psStart,
} from '../../../../src/adapters/system/processes.ts';

describe('a process', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });
  /** Processes get no such number on any system. */
  const noPid = 2 ** 22 + 1;

  it('is the same for who asks from another time zone', async () => {
    process.env['TZ'] = 'Asia/Tokyo';
    const there = await psStart(process.pid);
    process.env['TZ'] = 'America/Lima';
    assert.equal(await psStart(process.pid), there);
    assert.ok(there);
  });

  it('that is not there has no start and no identity', async () => {
    assert.equal(await psStart(noPid), undefined);
    assert.equal(await identityOf(noPid), undefined);
  });

  it('is alive, dead, or somewhere that cannot be seen; and only proof counts', async () => {
    const own = await ownIdentity();
    assert.deepEqual([await livenessOf(own), await isAlive(own)], ['alive', true]);
    for (const dead of [
      { ...own, pid: noPid },
      { ...own, started: '1' },
      { ...own, boot: 'another-boot' },
    ])
      assert.deepEqual([await livenessOf(dead), await isAlive(dead)], ['dead', false]);
    for (const unseen of [
      { ...own, boot: 'another-boot', machine: 'another-machine', host: 'another-host' },
      { ...own, namespace: 'pid:[1]' },
      { ...own, boot: '' },
    ])
      assert.deepEqual([await livenessOf(unseen), await isAlive(unseen)], ['elsewhere', false]);
    // Without a start it isn't proved to be another one, nor to be this one.
    assert.deepEqual(
      [await livenessOf({ ...own, started: '' }), await isAlive({ ...own, started: '' })],
      ['alive', false],
    );
  });
});

describe('processes of a system where asking is expensive', () => {
  const world = () => {
    const state = { there: true, start: 'Monday', now: 0, asked: 0 };
    const times = new StartTimes({
      isThere: () => state.there,
      startOf: () => {
        state.asked += 1;
        return Promise.resolve(state.there ? state.start : undefined);
      },
      now: () => state.now,
    });
    return { state, start: () => times.of(7) };
  };

  it('are asked about once a minute, however often that is requested', async () => {
    const { state, start } = world();
    for (; state.now < 180_000; state.now += 1_000) assert.equal(await start(), 'Monday');
    assert.equal(state.asked, 3);
  });

  it('are gone at once when their number is', async () => {
    const { state, start } = world();
    await start();
    state.there = false;
    assert.equal(await start(), undefined);
  });

  it('are not mistaken for another one that has their number', async () => {
    const { state, start } = world();
    assert.equal(await start(), 'Monday');
    state.there = false;
    await start();
    Object.assign(state, { there: true, start: 'Tuesday' });
    assert.equal(await start(), 'Tuesday');
    Object.assign(state, { start: 'Wednesday', now: 60_000 });
    assert.equal(await start(), 'Wednesday');
  });
});
