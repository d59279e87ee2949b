import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/adapters/clock/systemClock.ts';

describe('systemClock', () => {
  it('sleeps no shorter than asked', async () => {
    const before = systemClock.monotonic();
    await systemClock.sleep(20);
    assert.ok(systemClock.monotonic() - before >= 20);
  });

  it('wakes at once when the signal is aborted, before or during the sleep', async () => {
    const before = systemClock.monotonic();
    await systemClock.sleep(60_000, AbortSignal.abort());
    const later = new AbortController();
    const sleeping = systemClock.sleep(60_000, later.signal);
    later.abort();
    await sleeping;
    assert.ok(systemClock.monotonic() - before < 5_000);
  });

  it('gives ids of 26 letters and digits that differ', () => {
    const ids = Array.from({ length: 1_000 }, () => systemClock.randomId());
    assert.ok(ids.every((id) => /^[a-z0-9]{26}$/.test(id)));
    assert.equal(new Set(ids).size, ids.length);
  });
});
