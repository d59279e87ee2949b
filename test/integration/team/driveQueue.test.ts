import assert from 'node:assert/strict';
import {
  type DriveEnd,
  type DriveOrder,
  DriveQueue,
  type DriveQueueOptions,
} from '../../../src/adapters/queue/driveQueue.ts';
import { RunnerRows } from '../../../src/adapters/store/postgres/runnerRows.ts';
import { openTeam } from '../../../src/app/team.ts';
import { prepareTeam } from '../../../src/app/teamDevices.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { tempRepositories } from '../../support/git/tempRepository.ts';
import { askDatabase } from '../../support/team/askDatabase.ts';
import { until } from '../../support/until.ts';

const one: DriveOrder = { repository: 'example/one', ticket: 'ABC-1', priority: 3 };

describe('the queue of a team’s drives', () => {
  const server = postgresServer();
  before(() => prepareTeam(server.url));
  const begun: string[] = [];
  const ends = new Map<string, (end: DriveEnd) => void>();
  let queue: DriveQueue | undefined;
  const open = async (runner: string, more: Partial<DriveQueueOptions> = {}): Promise<DriveQueue> => {
    queue = await DriveQueue.open({
      url: server.url,
      runner,
      version: 'v1',
      atOnce: 2,
      silentMs: 60_000,
      makesTables: true,
      drive: ({ ticket }) => {
        begun.push(`${runner} ${ticket}`);
        return new Promise((resolve) => ends.set(ticket, resolve));
      },
      log: () => undefined,
      ...more,
    });
    queue.takes(true);
    return queue;
  };
  afterEach(async () => {
    await queue?.close();
    begun.length = 0;
    ends.clear();
  });
  const end = (ticket: string, again: number | null = null): void => ends.get(ticket)?.({ again });

  it('drives a ticket once for each reason, and not while it is driven', async () => {
    const first = await open('a');
    await first.add(one, { id: 'e1' });
    await until(() => begun.length === 1, 'the ticket is driven');
    await first.add(one, { id: 'e2' });
    end('ABC-1');
    await until(async () => {
      await first.add(one, { id: 'e1' });
      await first.add(one, { id: 'e2' });
      return begun.length === 2;
    }, 'the ticket is driven for the other entry');
    end('ABC-1', Date.now() + 50);
    await until(() => begun.length === 3, 'it is driven again at the time that its drive asked for');
    end('ABC-1');
    assert.deepEqual(begun, ['a ABC-1', 'a ABC-1', 'a ABC-1']);
  });

  it('gives what a runner began to another one when it is gone, of another version if need be', async () => {
    const [two, three] = [
      { ...one, ticket: 'ABC-2' },
      { ...one, ticket: 'ABC-3' },
    ];
    const gone = await open('gone');
    await gone.add(two, { id: 'e' });
    await gone.add(three, { id: 'e' });
    await until(() => begun.length === 2, 'both are driven');
    await gone.close();
    const same = await open('same', { atOnce: 1 });
    await same.takeFromGone(() => Promise.resolve([{ id: 'gone', version: 'v1', wanted: 'work' }]));
    await same.takeFromGone(() => Promise.resolve([{ id: 'same', version: 'v1', wanted: 'work' }]));
    await until(() => begun.length === 3, 'one of them is driven again');
    await same.close();
    const newer = await open('newer', { version: 'v2' });
    await newer.takeFromGone(() => Promise.resolve([{ id: 'newer', version: 'v2', wanted: 'work' }]));
    await until(() => begun.length === 5, 'both are driven under the other version');
    assert.deepEqual(
      begun.slice(3).toSorted((a, b) => a.localeCompare(b)),
      ['newer ABC-2', 'newer ABC-3'],
    );
  });

  const orders = 'FROM beadsmith_queue.workflow_status';
  const asked = (sql: string): Promise<readonly unknown[]> => askDatabase(server.url, sql);

  it('puts an order back whose move to another version was cut off', async () => {
    const first = await open('a', { version: 'v2' });
    await first.add({ ...one, ticket: 'ABC-6' }, { id: 'e', at: Date.now() + 3_600_000 });
    await asked(`UPDATE beadsmith_queue.workflow_status SET status = 'CANCELLED', queue_name = NULL
      WHERE workflow_uuid LIKE '%ABC-6 %'`);
    const living = ['a', 'newer'].map((id) => ({ id, version: 'v2', wanted: 'work' }));
    await first.takeFromGone(() => Promise.resolve(living));
    await until(() => begun.length === 1, 'it is driven');
    end('ABC-6');
  });

  it('leaves what waits for any version where it is, round after round', async () => {
    const other = { ...one, ticket: 'ABC-5' };
    const first = await open('a', { version: 'v2', atOnce: 1 });
    await first.add({ ...one, ticket: 'ABC-4' }, { id: 'e' });
    await until(() => begun.length === 1, 'the first is driven');
    await first.add(other, { id: 'e' });
    const waiting = () =>
      asked(`SELECT updated_at, application_version ${orders} WHERE workflow_uuid LIKE '%ABC-5 %'`);
    const before = await waiting();
    // What the last test left is of one of them.
    const living = ['a', 'newer'].map((id) => ({ id, version: 'v2', wanted: 'work' }));
    await first.takeFromGone(() => Promise.resolve(living));
    assert.deepEqual(await waiting(), before);
    end('ABC-4');
    await until(() => begun.length === 2, 'the other is driven');
    end('ABC-5');
  });

  it('gives a drive on once, although two runners believe that they are the oldest', async () => {
    const gone = await open('gone', { version: 'v2' });
    await gone.add({ ...one, ticket: 'ABC-11' }, { id: 'e' });
    await until(() => begun.length === 1, 'it is driven');
    await gone.close();
    const next = await open('next', { version: 'v2' });
    const living = ['next', 'newer'].map((id) => ({ id, version: 'v2', wanted: 'work' }));
    const lead = (): Promise<unknown> => next.takeFromGone(() => Promise.resolve(living));
    await Promise.all([lead(), lead()]);
    await until(() => begun.includes('next ABC-11'), 'it is driven again');
    await next.add({ ...one, ticket: 'ABC-12' }, { id: 'e' });
    await until(() => begun.includes('next ABC-12'), 'the next one is driven');
    assert.deepEqual(begun, ['gone ABC-11', 'next ABC-11', 'next ABC-12']);
    end('ABC-11');
    end('ABC-12');
  });

  describe('on machines whose clocks differ by ten minutes', () => {
    const { now } = Date;
    const ahead = (): void => void (Date.now = () => now() + 600_000);
    const right = (): void => void (Date.now = now);
    afterEach(right);
    const at = (ms: number) => ({ id: `at-${ms}`, at: Date.now() + ms });

    it('keeps a time that one of them asked for, whichever clock is ahead, or was until now', async () => {
      const first = await open('clock', { version: 'v2' });
      await first.add({ ...one, ticket: 'ABC-7' }, at(300_000));
      ahead();
      await first.add({ ...one, ticket: 'ABC-8' }, at(1_500));
      await until(() => begun.length > 0, 'one is driven at its time while the clock is ahead');
      end('ABC-8');
      await first.add({ ...one, ticket: 'ABC-9' }, at(1_500));
      right();
      await until(() => begun.length > 1, 'another one is driven at its time after the clock was set back');
      end('ABC-9');
      assert.deepEqual(begun, ['clock ABC-8', 'clock ABC-9']);
    });

    it('lets new work go to the runners that are there, whatever time the last ones had', async () => {
      const oldest = await open('oldest', { version: 'v3' });
      ahead();
      await oldest.takeFromGone(() => Promise.resolve([{ id: 'oldest', version: 'v3', wanted: 'work' }]));
      await oldest.close();
      right();
      const next = await open('next', { version: 'v4' });
      await next.takeFromGone(() => Promise.resolve([{ id: 'next', version: 'v4', wanted: 'work' }]));
      await next.add({ ...one, ticket: 'ABC-10' }, { id: 'e' });
      await until(() => {
        // What other tests left is given on.
        for (const ticket of ends.keys()) end(ticket);
        return begun.includes('next ABC-10');
      }, 'it is driven');
    });
  });

  describe('the list of runners', () => {
    const makeRepository = tempRepositories();

    it('says what is wrong where the server is away, or the login may not change it', async () => {
      await asked(`CREATE ROLE ada LOGIN PASSWORD 'x' IN ROLE beadsmith_person`);
      const [person, away] = [new URL(server.url), new URL(server.url)];
      person.username = 'ada';
      person.password = 'x';
      away.port = '1';
      for (const [{ href: url }, code] of [
        [person, 'DATABASE_READ_ONLY'],
        [away, 'DATABASE_IO'],
      ] as const) {
        const rows = new RunnerRows({ url, silentMs: 60_000, onChange: () => undefined });
        await assert.rejects(rows.limit(1), { code });
        await rows.close();
      }
    });

    it('knows who is heard of, and what waits in which repository', async () => {
      const heard: number[] = [];
      const rows = new RunnerRows({ url: server.url, silentMs: 60_000, onChange: (id) => heard.push(id) });
      const me = { id: 'me', host: 'here', version: 'v1', atOnce: 2 };
      const repository = await makeRepository();
      await repository.addOrigin();
      const tickets = await openTeam({ url: server.url, env: process.env }).openHere(repository.root, {
        make: true,
      });
      try {
        const { at, ...beat } = await rows.beat(me);
        assert.deepEqual(beat, { wanted: 'work', silentMs: 0 });
        assert.ok(Math.abs(at - Date.now()) < 60_000);
        const found = (await rows.repositories()).at(-1) ?? assert.fail();
        assert.equal(found.url, await repository.git('remote', 'get-url', 'origin'));
        const { id } = await tickets.client.create({ title: 'Greet' });
        await until(() => heard.includes(found.id), 'it hears of the new ticket');
        assert.deepEqual(await rows.waiting(found.id), []);
        await tickets.ports.store
          .post({ id: 'p', ticket: id, kind: 'pause', body: {} })
          .catch(() => undefined);
        const waiting = await until(async () => {
          const list = await rows.waiting(found.id);
          return list.length > 0 && list;
        }, 'the entry waits');
        assert.deepEqual(waiting, [{ ticket: id, entry: 'p', priority: 3 }]);
        assert.deepEqual(await rows.unclaimed(found.id), [], 'a draft waits for its start');
        assert.deepEqual(
          (await rows.runners()).map((row) => [row.id, row.silent]),
          [['me', false]],
        );
        const strict = new RunnerRows({ url: server.url, silentMs: -1_000, onChange: () => undefined });
        assert.deepEqual(
          (await strict.runners()).map(({ silent }) => silent),
          [true],
        );
        await strict.close();
        await rows.remove('me');
        assert.deepEqual(await rows.runners(), []);
      } finally {
        await tickets.close();
        await rows.close();
      }
    });
  });
});
