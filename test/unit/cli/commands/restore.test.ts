import assert from 'node:assert/strict';
import type { BackupInfo, Restored } from '../../../../src/app/backups.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';

const at = Date.UTC(2026, 0, 2, 3, 4);
const backups: readonly BackupInfo[] = [
  { name: 'state-2.db', at, bytes: 2_000_000, tickets: 3, problem: null },
  { name: 'state-1.db', at, bytes: 10, tickets: 0, problem: 'it is damaged' },
];
const commit = 'f'.repeat(40);
const restored: Restored = {
  damaged: '/sample/.git/beadsmith/damaged.db',
  tickets: 3,
  lost: [
    { ticket: 'TST-1', commit, ref: 'refs/beadsmith/TST-1/restored/1', known: true },
    { ticket: 'TST-2', commit, ref: 'refs/beadsmith/TST-2/restored/1', known: false },
  ],
};

function keeping(list = backups, result = restored): { bench: CommandBench; asked: string[] } {
  const asked: string[] = [];
  const bench = new CommandBench(
    {},
    {
      openBackups: (folder) => {
        asked.push(folder);
        return Promise.resolve({
          list: () => Promise.resolve(list),
          restore: (name) => {
            if (!list.some((one) => one.name === name))
              return Promise.reject(new BeadsmithError('BACKUP_UNUSABLE', { name, reason: 'there is none' }));
            asked.push(name);
            return Promise.resolve(result);
          },
        });
      },
    },
  );
  return { bench, asked };
}

describe('restore', () => {
  it('lists the backups, and why one can’t be restored', async () => {
    const { bench, asked } = keeping();
    const { out, exit } = await bench.run('restore --repo inner');
    assert.equal(
      out,
      "state-2.db  2026-01-02 03:04 UTC  2.0 MB  3 tickets\nstate-1.db  2026-01-02 03:04 UTC  10 B  can't be restored: it is damaged\n",
    );
    assert.deepEqual([exit, asked, bench.opened], [0, ['/sample/inner'], []]);
    const { all, end } = await keeping().bench.json('restore');
    assert.deepEqual(
      all('backup'),
      backups.map((backup) => ({ type: 'backup', ...backup })),
    );
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
    assert.equal((await keeping([]).bench.run('restore')).out, 'There are no backups yet.\n');
  });

  it('restores one with --yes, and says what the backup doesn’t know', async () => {
    const { bench, asked } = keeping();
    const { out, exit } = await bench.run('restore state-2.db --yes');
    assert.deepEqual([exit, asked], [0, ['/sample', 'state-2.db']]);
    assert.deepEqual(out.trimEnd().split('\n'), [
      'Restored state-2.db (3 tickets). The database that was there is kept at /sample/.git/beadsmith/damaged.db.',
      "TST-1: its branch has commits that aren't in the backup (ffffffffff). They are kept under refs/beadsmith/TST-1/restored/1. An unfinished ticket is paused.",
      "TST-2 is newer than the backup and isn't in it. Its branch stays, and its commits are kept under refs/beadsmith/TST-2/restored/1.",
    ]);
    const { all } = await keeping(backups, { ...restored, damaged: null, lost: [] }).bench.json(
      'restore state-2.db --yes',
    );
    assert.deepEqual(all('restored'), [
      { type: 'restored', name: 'state-2.db', damaged: null, tickets: 3, lost: [] },
    ]);
  });

  it('asks a person who can be asked', async () => {
    for (const confirms of [true, false]) {
      const { bench, asked } = keeping();
      bench.confirms = confirms;
      const { exit } = await bench.run('restore state-2.db');
      assert.deepEqual(bench.questions, [
        'Replace the tickets with those of state-2.db? The current database is kept. [y/N] ',
      ]);
      assert.deepEqual([exit, asked], [0, confirms ? ['/sample', 'state-2.db'] : ['/sample']]);
    }
  });

  itRefuses(
    [
      [
        'restore state-2.db',
        2,
        /Restoring replaces the tickets with those of the backup\. To continue, add --yes\./,
      ],
      ['restore state-9.db --yes', 1, /state-9\.db/],
      ['restore state-2.db now', 2, /"now" is an unexpected argument\./],
    ],
    () => keeping().bench,
  );
});
