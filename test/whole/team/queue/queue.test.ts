import assert from 'node:assert/strict';
import { type DriveEnd, type DriveOrder, DriveQueue } from '../../../../src/adapters/queue/driveQueue.ts';
import { RunnerRows } from '../../../../src/adapters/store/postgres/runnerRows.ts';
import { prepareTeam } from '../../../../src/app/teamDevices.ts';
import { postgresServer } from '../../../support/storeContract/postgresServer.ts';
import { askDatabase } from '../../../support/team/askDatabase.ts';
import { until } from '../../../support/until.ts';

const order = (number: number): DriveOrder => ({
  repository: 'example/one',
  ticket: `ABC-${number}`,
  priority: 3,
});

describe('a runner’s part of the queue', function () {
  this.timeout(120_000);
  const server = postgresServer();
  before(() => prepareTeam(server.url));
  const begun = new Map<string, number>();
  const ends = new Map<string, (end: DriveEnd) => void>();
  const needs = new Map<string, readonly string[]>();
  const able = new Set<string>();
  let queue: DriveQueue;
  beforeEach(async () => {
    queue = await DriveQueue.open({
      url: server.url,
      runner: 'one',
      version: 'v1',
      atOnce: 2,
      silentMs: 60_000,
      makesTables: true,
      drive: ({ ticket }) => {
        begun.set(ticket, performance.now());
        return new Promise((resolve) => ends.set(ticket, resolve));
      },
      needs: ({ ticket }) => Promise.resolve(needs.get(ticket) ?? []),
      can: (asked) => asked.every((need) => able.has(need)),
      log: () => undefined,
    });
    queue.takes(true);
  });
  afterEach(async () => {
    await queue.close();
    begun.clear();
    ends.clear();
  });

  const asked = async (sql: string): Promise<readonly string[]> =>
    (await askDatabase<{ status: string }>(server.url, sql)).map(({ status }) => status);
  const states = (): Promise<readonly string[]> =>
    asked('SELECT status FROM beadsmith_queue.workflow_status ORDER BY workflow_uuid');

  it('takes nothing while it is paused, and finishes what it began', async () => {
    await queue.add(order(1), { id: 'e' });
    await until(() => begun.size === 1, 'the first one is driven');
    queue.takes(false);
    await queue.add(order(2), { id: 'e' });
    await queue.add(order(3), { id: 'e', at: Date.now() + 1_000 });
    ends.get('ABC-1')?.({ again: null });
    const late = ['SUCCESS', 'ENQUEUED', 'ENQUEUED'];
    await until(async () => (await states()).join() === late.join(), 'the third one waits as well');
    assert.deepEqual([...begun.keys()], ['ABC-1']);
    queue.takes(true);
    await until(() => begun.size === 3, 'it works again');
    for (const end of ends.values()) end({ again: null });
  });

  it('starts what is added within half a second, and the next one when a slot is free', async () => {
    const delays: number[] = [];
    for (let number = 10; number < 40; number += 1) {
      const added = performance.now();
      await queue.add(order(number), { id: 'e' });
      queue.look();
      const at = await until(() => begun.get(`ABC-${number}`), 'it is driven');
      delays.push(at - added);
      ends.get(`ABC-${number}`)?.({ again: null });
    }
    const [, slow = 0] = delays.toSorted((a, b) => b - a);
    assert.ok(slow < 500, `${slow} ms`);
    for (const number of [50, 51, 52]) await queue.add(order(number), { id: 'e' });
    queue.look();
    await until(() => begun.size === 32, 'both slots are used');
    const freed = performance.now();
    ends.get('ABC-50')?.({ again: null });
    const last = await until(() => begun.get('ABC-52'), 'the third one is driven');
    assert.ok(last - freed < 500, `${last - freed} ms`);
    ends.get('ABC-51')?.({ again: null });
    ends.get('ABC-52')?.({ again: null });
  });

  it('recovers 100 drives of a runner that is gone within 3 s', async () => {
    queue.takes(false);
    for (let number = 100; number < 200; number += 1) await queue.add(order(number), { id: 'e' });
    await asked(`UPDATE beadsmith_queue.workflow_status
      SET status = 'PENDING', executor_id = 'gone', application_version = 'v1' WHERE status = 'ENQUEUED'`);
    queue.takes(true);
    const gone = performance.now();
    await queue.takeFromGone(() => Promise.resolve([{ id: 'one', version: 'v1', wanted: 'work' }]));
    queue.look();
    while (begun.size < 100 || ends.size > 0) {
      for (const end of ends.values()) end({ again: null });
      ends.clear();
      await until(() => ends.size > 0 || begun.size === 100, 'the next one is driven');
    }
    const took = performance.now() - gone;
    assert.ok(took <= 3_000, `${took.toFixed(0)} ms`);
  });

  it('takes what it can do, the most urgent first, and leaves the rest to others', async () => {
    needs.set('ABC-60', ['label:gpu']).set('ABC-61', ['provider:openai']).set('ABC-62', ['provider:openai']);
    able.add('provider:openai');
    queue.takes(false);
    for (const number of [60, 61, 62, 63]) await queue.add(order(number), { id: 'e' });
    await queue.add({ ...order(64), priority: 1 }, { id: 'e' });
    await queue.add({ ...order(65), priority: 2 }, { id: 'e' });
    queue.takes(true);
    await until(() => begun.size === 2, 'two are driven');
    assert.deepEqual([...begun.keys()].sort(), ['ABC-64', 'ABC-65']);
    for (const number of [64, 65]) ends.get(`ABC-${number}`)?.({ again: null });
    await until(() => begun.size === 4, 'two more are driven');
    // Of a moved ticket the next drive waits for another runner.
    needs.set('ABC-61', ['label:gpu']);
    ends.get('ABC-61')?.({ again: Date.now() });
    ends.get('ABC-62')?.({ again: null });
    await until(() => begun.has('ABC-63'), 'the last one is driven');
    ends.get('ABC-63')?.({ again: null });
    const waiting = ['ENQUEUED', 'ENQUEUED'];
    await until(
      async () => (await states()).filter((state) => state !== 'SUCCESS').join() === waiting.join(),
      'two wait',
    );
    begun.clear();
    able.add('label:gpu');
    await until(() => begun.size === 2, 'a runner that has it drives them');
    for (const ticket of begun.keys()) ends.get(ticket)?.({ again: null });
    await until(async () => (await states()).every((state) => state === 'SUCCESS'), 'nothing is left');
  });

  it('lets repositories take turns, the urgent first', async () => {
    const of = (repository: string, number: number, priority = 3): DriveOrder => ({
      repository: `example/${repository}`,
      ticket: `${repository}-${number}`,
      priority,
    });
    queue.takes(false);
    for (let number = 1; number <= 9; number += 1) await queue.add(of('MANY', number), { id: 'e' });
    await queue.add(of('MANY', 10, 2), { id: 'e' });
    await queue.add(of('FEW', 1), { id: 'e' });
    queue.takes(true);
    // A repository whose next ticket comes when the last is done gets its turns, and no more.
    for (let done = 0, few = 1; done < 11; done += 1) {
      const [next = ''] = await until(() => {
        const open = [...begun.keys()].filter((ticket) => ends.has(ticket));
        return open.length > 0 && open;
      }, 'one is driven');
      if (next.startsWith('FEW')) await queue.add(of('FEW', (few += 1)), { id: 'e' });
      const end = ends.get(next);
      ends.delete(next);
      end?.({ again: null });
    }
    const order = [...begun.keys()];
    assert.ok(order.indexOf('MANY-10') < 2, order.join());
    const few = order.slice(0, 8).filter((ticket) => ticket.startsWith('FEW')).length;
    assert.ok(few >= 2 && few <= 4, order.join());
    for (const end of ends.values()) end({ again: null });
  });

  it('forgets what ended long ago, runners that weren’t heard of since, and codes that expired', async () => {
    await queue.add(order(70), { id: 'e' });
    await until(() => begun.size === 1, 'one is driven');
    await asked(`INSERT INTO beadsmith_queue.workflow_status (workflow_uuid, name, status, queue_name, created_at, updated_at, completed_at)
      SELECT 'example/one OLD-' || at || ' e', 'drive', 'SUCCESS', 'drive', 1, 1, 1 FROM generate_series(1, 1200) AS at`);
    await queue.forgetEnded(Date.now() - 1_000);
    const sql = `SELECT workflow_uuid AS status FROM beadsmith_queue.workflow_status WHERE created_at = 1`;
    assert.deepEqual(await asked(sql), []);
    ends.get('ABC-70')?.({ again: null });

    const rows = new RunnerRows({ url: server.url, silentMs: 60_000, onChange: () => undefined });
    try {
      for (const id of ['here', 'gone']) await rows.beat({ id, host: 'a', version: 'v1', atOnce: 2 });
      await asked(`UPDATE beadsmith.runners SET seen_at = 1 WHERE id = 'gone'`);
      await asked(`INSERT INTO beadsmith.pairings (code_hash, person, role, expires_at)
        VALUES ('old', 'Ada', 'reader', 1), ('new', 'Ada', 'reader', 1e15)`);
      await rows.forget(60_000);
      assert.deepEqual(await asked('SELECT code_hash AS status FROM beadsmith.pairings'), ['new']);
      assert.deepEqual(
        (await rows.runners()).map(({ id }) => id),
        ['here'],
      );
    } finally {
      await rows.close();
    }
  });
});
