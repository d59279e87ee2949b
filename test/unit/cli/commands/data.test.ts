import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import type { BackupInfo, Restored } from '../../../../src/app/backups.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Cleanable } from '../../../../src/domain/core/cleaning.ts';
import type { Cleaned } from '../../../../src/protocol/upkeep.ts';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { bead } from '../../../support/storeContract/samples.ts';
import { readSource } from '../../../../src/domain/import/readSource.ts';
import { agentOf, FakeApp } from '../../../support/fakes/fakeApp.ts';

describe('export', () => {
  const makeFolder = tempFolders();
  async function bench(): Promise<CommandBench> {
    const made = new CommandBench();
    made.cwd = await makeFolder();
    return made;
  }

  it('writes everything that is known of a ticket into a folder, the manifest last', async () => {
    const one = await bench();
    const { all, end } = await one.json('export TST-1');
    const folder = join(one.cwd, 'TST-1-export');
    assert.deepEqual(all('exported'), [{ type: 'exported', ticket: 'TST-1', folder }]);
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
    const names = await readdir(folder);
    for (const name of ['ticket.json', 'journal.ndjson', 'README.md', 'export.json'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(await readdir(one.cwd), ['TST-1-export'], 'nothing is left beside it');
  });

  it('writes into the folder that is named, and says so', async () => {
    const one = await bench();
    assert.equal(
      (await one.run('export TST-1 --to there')).out,
      `TST-1 is exported to ${join(one.cwd, 'there')}\n`,
    );
  });

  it('replaces an export of the ticket, and nothing else', async () => {
    const one = await bench();
    await one.run('export TST-1 --to there');
    await writeFile(join(one.cwd, 'there/mine.txt'), 'mine');
    const again = await one.run('export TST-1 --to there');
    assert.match(
      again.err,
      /The folder .*there can't be used: it already exists; choose another folder with --to, or use --replace/,
    );
    assert.equal(again.exit, exitCodes.usage);
    assert.equal((await one.run('export TST-1 --to there --replace')).exit, 0);
    assert.ok(!(await readdir(join(one.cwd, 'there'))).includes('mine.txt'));
    await mkdir(join(one.cwd, 'other'));
    await writeFile(join(one.cwd, 'other/mine.txt'), 'mine');
    const other = await one.run('export TST-1 --to other --replace');
    assert.match(other.err, /it isn't an export of this ticket/);
    assert.deepEqual(
      [other.exit, await readFile(join(one.cwd, 'other/mine.txt'), 'utf8')],
      [exitCodes.usage, 'mine'],
    );
  });

  it('leaves nothing when it is stopped', async () => {
    for (const [signal, code] of [
      ['SIGINT', exitCodes.interrupted],
      ['SIGTERM', exitCodes.terminated],
    ] as const) {
      const one = await bench();
      const { history } = one.app.client;
      history.journal = () => {
        one.stop.abort(signal);
        return Promise.resolve([]);
      };
      assert.equal((await one.run('export TST-1')).exit, code);
      assert.deepEqual(await readdir(one.cwd), []);
    }
  });

  it('writes tickets and beads as issues of bd, which are found again when they are imported', async () => {
    const origin = { kind: 'issue', host: 'github.com', owner: 'o', name: 'r', number: 12, url: '' } as const;
    const one = new CommandBench({ ticket: { origin } });
    one.cwd = await makeFolder();
    const beads: readonly Bead[] = [
      { ...bead('store'), acceptanceCriteria: ['Nothing is lost\nafter a kill', 'It is fast'] },
      { ...bead('read'), status: 'done', completedAt: '2026-01-02T00:00:00.000Z' },
      { ...bead('show'), dependencies: { blocked_by: ['store', 'read'], blocks: [] }, notes: 'Ask Ada' },
    ];
    one.app.client.beads = () => Promise.resolve({ beads, sha256: 'b'.repeat(64) });
    const { all } = await one.json('export --bd TST-1');
    const file = join(one.cwd, 'issues.jsonl');
    assert.deepEqual(all('exported_bd'), [{ type: 'exported_bd', file, tickets: 1, issues: 4 }]);
    const text = await readFile(file, 'utf8');
    assert.match(text, /"external_ref":"gh-12"/);
    const { tickets, notUnderstood } = readSource([{ path: 'issues.jsonl', text }], true);
    assert.deepEqual(notUnderstood, []);
    assert.deepEqual(
      tickets.map(({ id, title, priority, description }) => [id, title, priority, description.slice(0, 8)]),
      [['TST-1', 'Greet people', 3, 'By name.']],
    );
    assert.deepEqual(
      tickets[0]?.tasks.map(({ id, title, done, dependsOn }) => [id, title, done, dependsOn]),
      [
        ['TST-1.1', 'Bead store', false, []],
        ['TST-1.2', 'Bead read', true, []],
        ['TST-1.3', 'Bead show', false, ['TST-1.1', 'TST-1.2']],
      ],
    );
    assert.deepEqual(
      tickets[0].requirements[0]?.criteria.map((criterion) => criterion.text),
      ['Nothing is lost\nafter a kill', 'It is fast'],
    );
    assert.ok(tickets[0].tasks[2]?.text.includes('Ask Ada'));
    const again = await one.run('export --bd');
    assert.match(again.err, /issues\.jsonl can't be used: it already exists/);
    assert.equal(await readFile(file, 'utf8'), text);
  });

  itRefuses([
    ['export TST-1 TST-2', 2, /Only with --bd/],
    ['export --bd --replace', 2, /replaces no file/],
    ['export TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['export', 2, /An argument is missing/],
  ]);
});

describe('restore', () => {
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
                return Promise.reject(
                  new BeadsmithError('BACKUP_UNUSABLE', { name, reason: 'there is none' }),
                );
              asked.push(name);
              return Promise.resolve(result);
            },
          });
        },
      },
    );
    return { bench, asked };
  }

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

describe('clean', () => {
  const dayMs = 86_400_000;
  const now = Date.now();
  const left = (changes: Partial<Cleanable>): Cleanable => ({
    ticket: 'TST-1',
    kind: 'texts',
    count: 2,
    bytes: 3_000_000,
    at: now - 40 * dayMs,
    ...changes,
  });
  const texts = left({});
  const recent = left({ kind: 'log', at: now - 5 * dayMs });
  const other = left({ ticket: 'TST-2', kind: 'attempts', bytes: 1_000_000, at: now - 50 * dayMs });
  const persons = left({ ticket: null, kind: 'takenBack' });
  const all = [texts, recent, other, persons];

  /** What finished tickets left, and what was removed of it. */
  function cleaning(failed: Cleaned['failed'] = []): { bench: CommandBench; removed: Cleanable[] } {
    const removed: Cleanable[] = [];
    const bench = new CommandBench(
      {},
      {
        app: new FakeApp({ view: { column: 'Done' } }, { ports: { agent: agentOf() } }),
        openCleaner: ({ repository }) => {
          assert.equal(repository.root, '/sample');
          return {
            list: () => Promise.resolve(all),
            remove: (wanted) => {
              removed.push(...wanted);
              return Promise.resolve({
                removed: wanted.filter((one) => !failed.some(({ kind }) => kind === one.kind)),
                failed,
              });
            },
          };
        },
      },
    );
    return { bench, removed };
  }

  const shown = async (words: string): Promise<readonly Cleanable[]> =>
    (await cleaning().bench.json(words)).all('cleanable').map(({ type: _, ...one }) => one);

  it('shows what is older than the days that are kept, without what a person may have made', async () => {
    assert.deepEqual(await shown('clean'), [texts, other]);
    assert.deepEqual(await shown('clean --keep-days 45'), [other]);
    assert.deepEqual(await shown('clean --keep-days 0'), [recent, texts, other]);
    assert.deepEqual(await shown('clean --keep-megabytes 6'), [other]);
    assert.deepEqual(await shown('clean --all'), [texts, persons, other]);
    assert.deepEqual(await shown('clean TST-1'), [texts]);
  });

  it('lists it with its size, and removes nothing by itself', async () => {
    const { bench, removed } = cleaning();
    const { out, exit } = await bench.run('clean');
    assert.match(
      out,
      /^TST-1 {5}\d{4}-\d\d-\d\d +3\.0 MB {2}prompts and answers \(2\)\nTST-2 .* 1\.0 MB {2}refs of attempts \(2\)\nTotal: 4\.0 MB\.\n/,
    );
    assert.match(out, /Nothing was removed\. To remove it, add --yes\.\n$/);
    assert.deepEqual([exit, removed], [0, []]);
    assert.equal((await cleaning().bench.run('clean --keep-days 90')).out, 'There is nothing to remove.\n');
  });

  it('removes it with --yes, or after a yes', async () => {
    const { bench, removed } = cleaning();
    const { all: events, exit } = await bench.json('clean --yes');
    assert.deepEqual(removed, [texts, other]);
    assert.deepEqual(events('cleaned'), [{ type: 'cleaned', removed: 2, bytes: 4_000_000, failed: [] }]);
    assert.deepEqual([exit, bench.questions], [0, []]);
    for (const confirms of [true, false]) {
      const asked = cleaning();
      asked.bench.confirms = confirms;
      const { out } = await asked.bench.run('clean');
      assert.deepEqual(asked.bench.questions, ["Remove 4.0 MB? This can't be undone. [y/N] "]);
      assert.deepEqual([asked.removed.length, out.includes('Removed 4.0 MB.')], [confirms ? 2 : 0, confirms]);
    }
  });

  it('fails where something could not be removed, and says why', async () => {
    const { bench } = cleaning([{ ...other, reason: 'It is in use.' }]);
    const { out, exit } = await bench.run('clean --yes');
    assert.match(out, /Removed 3\.0 MB\.\nNot removed: TST-2 .*refs of attempts \(2\)\. It is in use\.\n$/);
    assert.equal(exit, 1);
  });

  itRefuses([
    ['clean TST-1', 2, /TST-1 isn't completed or canceled, so none of its data is removed\./],
    ['clean TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['clean everything', 2, /"everything" is not a valid ticket ID/],
    ['clean --keep-days some', 2, /--keep-days takes a whole number, not "some"\./],
  ]);
});
