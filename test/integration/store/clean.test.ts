import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/adapters/store/openStore.ts';
import { locations } from '../../../src/app/locations.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import type { CliEvent } from '../../../src/protocol/cliEvents.ts';
import { gitOf } from '../../support/git/gitBench.ts';
import { cliHere } from '../../support/cliHere.ts';
import { eventsOf } from '../../support/cliProcess.ts';
import { type TempRepository, tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';
import { call, createTicket } from '../../support/storeContract/samples.ts';

const dayMs = 86_400_000;

/** What is open, or may be a person's, stays. */
describe('cleaning up by the command line', function () {
  this.timeout(120_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let repository: TempRepository;
  let configFolder: string;
  let state: string;
  let done: Ticket;
  let open: Ticket;

  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const opened = await openStore({
      commonDir: join(repository.root, '.git'),
      configFolder: join(configFolder, 'beadsmith'),
      mode: 'driver',
      workerUrl: locations.storeWorker,
    });
    try {
      return await work(opened.store!);
    } finally {
      await opened.close();
    }
  };
  const sql = (text: string): void => {
    const database = new DatabaseSync(join(state, 'state.db'));
    database.exec(text);
    database.close();
  };
  const end = (ticket: Ticket, days: number): void => {
    const at = Date.now() - days * dayMs;
    sql(
      `UPDATE tickets SET status = 'COMPLETED', body = json_set(body, '$.updatedAt', ${String(at)}) WHERE id = '${ticket.id}'`,
    );
  };
  const refs = async (): Promise<string> =>
    repository.git('for-each-ref', '--format=%(refname)', 'refs/beadsmith', 'refs/heads');
  const texts = (ticket: Ticket): Promise<readonly string[]> =>
    withStore(async (store) => (await store.calls(ticket.id)).map(({ input }) => input));
  const cli = async (
    ...words: readonly string[]
  ): Promise<{ readonly code: number | null; readonly events: readonly CliEvent[] }> => {
    const { code, stdout } = await cliHere([...words, '--repo', repository.root, '--json'], {
      env: { XDG_CONFIG_HOME: configFolder },
    });
    return { code, events: eventsOf(stdout) };
  };
  const of = <T extends CliEvent['type']>(events: readonly CliEvent[], type: T) =>
    events.filter((event): event is Extract<CliEvent, { type: T }> => event.type === type);
  const shown = async (...words: readonly string[]): Promise<readonly string[]> =>
    of((await cli('clean', ...words)).events, 'cleanable').map(
      ({ ticket, kind }) => `${ticket ?? ''} ${kind}`,
    );

  beforeEach(async () => {
    repository = await makeRepository({ files: { 'a.txt': 'a' } });
    configFolder = await makeFolder();
    state = join(repository.root, '.git', 'beadsmith');
    [done, open] = await withStore(async (store) => {
      const all = [await createTicket(store, 'one'), await createTicket(store, 'two')] as const;
      for (const ticket of all)
        await store.commit({
          ticket: ticket.id,
          journal: [],
          changes: [
            {
              type: 'call',
              call: call(ticket.id, `call-${ticket.id}`, {
                input: `Do ${ticket.id}. `.repeat(20_000),
                output: 'OK',
              }),
            },
          ],
        });
      return all;
    });
    end(done, 40);
    // The last one names the texts, which would then stay.
    for (const backup of globSync('backups/*', { cwd: state }).sort().slice(1)) rmSync(join(state, backup));
    mkdirSync(join(state, 'logs'), { recursive: true });
    for (const { id } of [done, open]) {
      writeFileSync(join(state, 'logs', `${id}.jsonl`), '{}\n');
      mkdirSync(join(state, 'left', id, '1'), { recursive: true });
      writeFileSync(join(state, 'left', id, '1', '.env'), 'KEY=1\n');
      for (const name of ['core-a/1', 'worktree/start', 'worktree/before-reset', 'edits/abc', 'presquash/1'])
        await repository.git('update-ref', `refs/beadsmith/${id}/${name}`, 'HEAD');
      await repository.git('branch', `ticket/${id}`);
    }
    for (const blob of globSync('blobs/*/*', { cwd: state })) utimesSync(join(state, blob), 0, 0);
  });

  it('shows what is old of finished tickets, and removes nothing without a yes', async () => {
    assert.deepEqual(await shown(), [`${done.id} texts`, `${done.id} log`, `${done.id} attempts`]);
    assert.deepEqual(await shown('--keep-days', '41'), []);
    assert.deepEqual(await shown('--keep-megabytes', '1000'), []);
    assert.ok((await shown('--all')).includes(`${done.id} left`));
    assert.ok((await texts(done))[0]?.startsWith('Do'));
    assert.match(await refs(), new RegExp(`${done.id}/core-a/1`));
    const { code, events } = await cli('clean', open.id);
    assert.deepEqual(
      [code, of(events, 'error')[0]?.code],
      [2, 'USAGE'],
      'nothing of an open ticket is removed',
    );
  });

  it('removes it, and keeps what is open, what the result needs and what may be a person’s', async () => {
    const before = globSync('blobs/*/*', { cwd: state }).length;
    const { code, events } = await cli('clean', '--yes');
    assert.deepEqual([code, of(events, 'cleaned')[0]?.removed, of(events, 'cleaned')[0]?.failed], [0, 3, []]);
    assert.deepEqual(await shown(), []);
    assert.deepEqual(
      [await texts(done), globSync('blobs/*/*', { cwd: state }).length],
      [['(removed by a cleanup)'], before - 1],
    );
    assert.ok((await texts(open))[0]?.startsWith('Do'));
    assert.deepEqual(
      [
        existsSync(join(state, 'logs', `${done.id}.jsonl`)),
        existsSync(join(state, 'logs', `${open.id}.jsonl`)),
      ],
      [false, true],
    );
    assert.ok(existsSync(join(state, 'left', done.id, '1', '.env')), 'not shown, not removed');
    const left = (await refs()).split('\n').filter((ref) => ref.includes(`/${done.id}`));
    assert.deepEqual(left, [
      `refs/beadsmith/${done.id}/edits/abc`,
      `refs/beadsmith/${done.id}/presquash/1`,
      `refs/beadsmith/${done.id}/worktree/start`,
      `refs/heads/ticket/${done.id}`,
    ]);
    assert.match(await refs(), new RegExp(`${open.id}/core-a/1`));
    await withStore(async (store) => assert.deepEqual((await store.verify(done.id)).ok, true));

    await cli('clean', '--all', '--yes');
    assert.ok(!existsSync(join(state, 'left', done.id)));
    assert.ok(existsSync(join(state, 'left', open.id, '1', '.env')));
    assert.doesNotMatch(await refs(), new RegExp(`${done.id}/edits`));
  });

  it('removes a worktree that was kept, only with --all, and keeps what nobody committed', async () => {
    const git = gitOf(repository);
    const commit = (await git.resolve('HEAD')) ?? '';
    await repository.git('branch', '-D', `ticket/${done.id}`);
    const { path } = await git.addWorktree({ ticket: done.id, branch: `ticket/${done.id}`, commit });
    sql(`UPDATE tickets SET body = json_set(body, '$.worktree', '${path}') WHERE id = '${done.id}'`);
    writeFileSync(join(path, 'mine.txt'), 'mine');
    assert.ok(!(await shown()).includes(`${done.id} worktree`));
    assert.ok((await shown('--all')).includes(`${done.id} worktree`));
    await cli('clean', '--yes');
    assert.ok(existsSync(path));
    await cli('clean', '--all', '--yes');
    assert.ok(!existsSync(path));
    assert.match(await refs(), new RegExp(`heads/ticket/${done.id}`));
    assert.equal(await repository.git('show', `refs/beadsmith/${done.id}/worktree/removed:mine.txt`), 'mine');
  });

  it('keeps the texts that a backup still names', async () => {
    await withStore(async () => undefined);
    const [backup = ''] = globSync('backups/*', { cwd: state });
    assert.notEqual(backup, '');
    const copy = new DatabaseSync(join(state, 'state.db'));
    copy.exec(`VACUUM INTO '${join(state, 'backups', 'state-2020-01-01T0000.db')}'`);
    copy.close();
    const before = globSync('blobs/*/*', { cwd: state }).length;
    await cli('clean', '--yes');
    assert.deepEqual(
      [await texts(done), globSync('blobs/*/*', { cwd: state }).length],
      [['(removed by a cleanup)'], before],
    );
  });
});
