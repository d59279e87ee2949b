import assert from 'node:assert/strict';
import { cleanIfDue, type DailyParts } from '../../../../src/app/cleaning/cleaner.ts';
import type { Cleanable, CleanKind } from '../../../../src/domain/core/cleaning.ts';
import type { Cleaned } from '../../../../src/protocol/upkeep.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

const day = 86_400_000;

describe('cleaning up once a day', () => {
  const folder = folderForEach('daily');
  let now: number;
  let said: string[];
  let wanted: (readonly Cleanable[])[];
  const rule = { days: 30, megabytes: 0 };
  const one = (kind: CleanKind, days = 40): Cleanable => ({
    ticket: 'ABC-1',
    kind,
    count: 1,
    bytes: 2_000_000,
    at: now - days * day,
  });
  const parts = (more: Partial<DailyParts> = {}): DailyParts => ({
    cleaner: {
      list: () => Promise.resolve([one('texts'), one('left'), one('work'), one('log', 3)]),
      remove: (due): Promise<Cleaned> => {
        wanted.push(due);
        return Promise.resolve({ removed: due, failed: [] });
      },
    },
    stateFolder: folder.path,
    rule: () => rule,
    say: (line) => said.push(line),
    now: () => now,
    ...more,
  });
  const clean = (more: Partial<DailyParts> = {}): Promise<void> =>
    cleanIfDue(parts(more), new AbortController().signal);

  beforeEach(() => {
    now = 1_000 * day;
    said = [];
    wanted = [];
  });

  it('removes what is due and no person made, says so, and waits a day', async () => {
    await clean();
    assert.deepEqual(
      wanted.map((due) => due.map(({ kind }) => kind)),
      [['texts']],
    );
    assert.match(said.join('\n'), /removed 2\.0 MB .* of ABC-1$/);
    now += day - 1;
    await clean();
    assert.equal(wanted.length, 1);
    now += 1;
    await clean();
    assert.equal(wanted.length, 2);
  });

  it('removes nothing when that is turned off, or the window is being closed', async () => {
    await clean({ rule: () => ({ ...rule, days: 0 }) });
    await cleanIfDue(parts(), AbortSignal.abort());
    assert.deepEqual([wanted, said], [[], []]);
  });

  it('isn’t put off for years by a clock that was set back', async () => {
    await clean();
    now -= 100 * day;
    await clean();
    assert.equal(wanted.length, 2);
  });

  it('says what fails, and disturbs nothing', async () => {
    const list = (): Promise<never> => Promise.reject(new Error('the disk is gone'));
    await clean({ cleaner: { ...parts().cleaner, list } });
    assert.match(said.join('\n'), /the disk is gone/);
  });
});
