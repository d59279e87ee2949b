import assert from 'node:assert/strict';
import { DatabaseBusy, whenFree } from '../../../../src/adapters/store/sqliteErrors.ts';
import { FakeClock } from '../../../support/fakes/fakeClock.ts';

describe('A call that another process keeps from the database', () => {
  const locked = (clock: FakeClock, ms: number) => {
    const end = clock.monotonic() + ms;
    return (): string => {
      if (clock.monotonic() < end) throw new DatabaseBusy('locked');
      return 'written';
    };
  };

  it('is made when a lock of 30 s is gone, and tells meanwhile that it waits', async () => {
    const clock = new FakeClock();
    let told = 0;
    const call = whenFree(locked(clock, 30_000), { clock, patienceMs: () => Number.POSITIVE_INFINITY, onWait: () => (told += 1) });
    await clock.advance(29_000);
    assert.ok(told >= 10, `told ${String(told)} times`);
    await clock.advance(3_000);
    assert.equal(await call, 'written');
  });

  it('fails at once when there is no time left to wait', async () => {
    const clock = new FakeClock();
    let patience = Number.POSITIVE_INFINITY;
    const call = whenFree(locked(clock, 30_000), { clock, patienceMs: () => patience });
    await clock.advance(5_000);
    patience = 1_000;
    await Promise.all([assert.rejects(call, { code: 'DATABASE_BUSY' }), clock.advance(1_000)]);
  });
});
