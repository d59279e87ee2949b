import assert from 'node:assert/strict';
import { DatabaseBusy, whenFree } from '../../../../src/adapters/store/sql/whenFree.ts';
import { toStoreError } from '../../../../src/adapters/store/sqlite/database.ts';
import { toBeadsmithError } from '../../../../src/domain/core/errors.ts';
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
    const call = whenFree(locked(clock, 30_000), {
      clock,
      patienceMs: () => Number.POSITIVE_INFINITY,
      onWait: () => (told += 1),
    });
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

describe('An error of SQLite', () => {
  it('that is of the disk only says that the database can’t be used now', () => {
    const place = { path: 'state.db', backup: () => '' };
    const codeOf = (more: object): string =>
      toBeadsmithError(toStoreError(Object.assign(new Error('failed'), more), place)).code;
    // SQLITE_IOERR, SQLITE_IOERR_FSYNC, SQLITE_FULL, and what the file system says.
    for (const [more, code] of [
      [{ errcode: 10 }, 'DATABASE_IO'],
      [{ errcode: 1034 }, 'DATABASE_IO'],
      [{ code: 'EIO' }, 'DATABASE_IO'],
      [{ errcode: 13 }, 'DISK_FULL'],
      [{ errcode: 1 }, 'UNEXPECTED'],
    ] as const)
      assert.equal(codeOf(more), code, JSON.stringify(more));
  });
});
