import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { RunnerRows } from '../../../../src/adapters/store/postgres/runnerRows.ts';
import { prepareTeam } from '../../../../src/app/teamDevices.ts';
import { postgresServer } from '../../../support/storeContract/postgresServer.ts';
import { askDatabase } from '../../../support/team/askDatabase.ts';
import type { FromQueueRunner, QueueRunnerStart, ToQueueRunner } from '../../../support/team/queueRunner.ts';
import { until } from '../../../support/until.ts';

/** Drives at work in all runners of a test: now, and the most that there were. */
class AtWork {
  readonly shared = new Int32Array(new SharedArrayBuffer(12));

  get now(): number {
    return Atomics.load(this.shared, 0);
  }

  get most(): number {
    return Atomics.load(this.shared, 1);
  }

  /** Has a runner continue that stopped. */
  resume(): void {
    Atomics.store(this.shared, 2, 1);
    Atomics.notify(this.shared, 2);
  }
}

/** A runner's queue in a thread of its own. */
class QueueRunner {
  readonly id: string;
  /** The tickets of its drives, and how many were at work with each. */
  readonly begun = new Map<string, number>();
  readonly #thread: Worker;
  readonly #done: string[] = [];

  constructor(start: QueueRunnerStart) {
    this.id = start.runner;
    this.#thread = new Worker(new URL('../../../support/team/queueRunner.ts', import.meta.url), {
      workerData: start,
    });
    this.#thread.on('message', (told: FromQueueRunner) => {
      if ('begun' in told) this.begun.set(told.begun, told.atWork);
      else this.#done.push(told.done);
    });
  }

  isOpen(): Promise<unknown> {
    return until(() => this.#done.includes('open'), `${this.id} is there`, 60_000);
  }

  /** Resolves when it was done. */
  async do(order: ToQueueRunner): Promise<void> {
    const before = this.#done.length;
    this.#thread.postMessage(order);
    await until(() => this.#done.length > before, `${this.id}: ${order.do}`);
  }

  async kill(): Promise<void> {
    await this.#thread.terminate();
    this.begun.clear();
  }
}

describe('a limit of tickets at work over all runners', function () {
  this.timeout(120_000);
  const runners: QueueRunner[] = [];
  let rows: RunnerRows;
  // Before the database stops.
  after(() => rows.close());
  const server = postgresServer();
  let atWork: AtWork;
  before(async () => {
    await prepareTeam(server.url);
    rows = new RunnerRows({ url: server.url, silentMs: 60_000, onChange: () => undefined });
  });
  beforeEach(() => (atWork = new AtWork()));
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.kill();
    await query('DELETE FROM beadsmith.runners; DELETE FROM beadsmith_queue.workflow_status');
    await rows.limit(null);
  });

  const query = (sql: string): Promise<readonly unknown[]> => askDatabase(server.url, sql);
  const beat = (id: string, asides = 0): Promise<unknown> =>
    rows.beat({ id, host: 'here', version: 'v1', atOnce: 5, asides });
  const start = async (id: string, does?: QueueRunnerStart['does']): Promise<QueueRunner> => {
    await beat(id);
    const options = { url: server.url, runner: id, atOnce: 5, atWork: atWork.shared };
    const runner = new QueueRunner({ ...options, ...(does && { does }) });
    runners.push(runner);
    // They would make the queue's tables at once.
    await runner.isOpen();
    return runner;
  };
  const add = async (runner: QueueRunner, number: number, needs = number): Promise<void> => {
    const order = { repository: 'example/one', ticket: `ABC-${number}`, priority: 3 };
    await runner.do({ do: 'add', order, needs: [`label:${needs}`] });
  };
  const taking = (...all: readonly QueueRunner[]): Promise<unknown> =>
    Promise.all(all.map((runner) => runner.do({ do: 'takes' })));
  /** Ends drives, the oldest first. */
  const end = async (count: number): Promise<void> => {
    for (let ended = 0; ended < count; ended++) {
      const runner = await until(() => runners.find(({ begun }) => begun.size > 0), 'a drive has begun');
      const [ticket = ''] = runner.begun.keys();
      runner.begun.delete(ticket);
      await runner.do({ do: 'end', ticket });
    }
  };
  /** Resolves when a runner has looked for room since, and has given the lock back. */
  const looked = async ({ id }: QueueRunner): Promise<void> => {
    const [{ now }] = (await query('SELECT CAST(clock_timestamp() AS TEXT) AS now')) as [{ now: string }];
    const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'dbos_transact_${id}_%'
      AND query = 'ROLLBACK' AND state = 'idle' AND query_start > '${now}'`;
    await until(async () => (await query(sql)).length > 0, `${id} has looked for room`);
  };

  it('holds however they race, for tickets with different needs', async () => {
    await rows.limit(2);
    const all = [await start('one', 'ends'), await start('two', 'ends')];
    for (let number = 1; number <= 60; number++) await add(all[number % 2]!, number, number % 4);
    await taking(...all);
    const done = (): number => all.reduce((sum, { begun }) => sum + begun.size, 0);
    await until(() => done() === 60 && atWork.now === 0, 'all are done');
    assert.ok(atWork.most <= 2, `${atWork.most} at a time`);
    for (const { id, begun } of all) assert.ok(begun.size > 0, `${id} drove some`);
  });

  it('lets others start when one ends or when it is raised, and ends nothing when it is lowered', async () => {
    await rows.limit(2);
    const [one, two] = [await start('one'), await start('two')];
    for (let number = 1; number <= 5; number++) await add(one, number);
    await taking(one, two);
    await until(() => atWork.now === 2, 'two are at work');
    await Promise.all([looked(one), looked(two)]);
    assert.deepEqual(await rows.atWork(), { tickets: 2, most: 2 });
    await end(1);
    await until(() => atWork.now === 2, 'the next one is at work');
    assert.equal(atWork.most, 2);
    await rows.limit(4);
    await until(() => atWork.now === 4, 'all are at work');
    await rows.limit(1);
    for (const number of [6, 7]) await add(one, number);
    await Promise.all([looked(one), looked(two)]);
    assert.deepEqual(await rows.atWork(), { tickets: 4, most: 1 });
    await end(3);
    await Promise.all([looked(one), looked(two)]);
    assert.equal(atWork.now, 1);
    await end(1);
    await until(() => atWork.now === 1, 'the next one is at work');
    await Promise.all([looked(one), looked(two)]);
    assert.equal(atWork.now, 1);
    await rows.limit(null);
    await until(() => atWork.now === 2, 'nothing limits the others');
    assert.deepEqual(await rows.atWork(), { tickets: 2, most: null });
  });

  it('counts drives of a killed runner until it is taken for gone, and then those who carry on', async () => {
    await rows.limit(2);
    const one = await start('one');
    for (let number = 1; number <= 4; number++) await add(one, number);
    await taking(one);
    await until(() => atWork.now === 2, 'two are at work');
    const two = await start('two');
    await one.kill();
    await taking(two);
    await looked(two);
    assert.equal(two.begun.size, 0);
    await query(`UPDATE beadsmith.runners SET seen_at = 0 WHERE id = 'one'`);
    Atomics.store(atWork.shared, 0, 0);
    await until(() => atWork.now === 2, 'the other one is at work');
    await two.do({ do: 'lead', living: ['two'] });
    await looked(two);
    assert.deepEqual([atWork.now, two.begun.size], [2, 2]);
    const driven = new Set(two.begun.keys());
    for (let ended = 1; ended <= 4; ended++) {
      await end(1);
      await until(() => atWork.now === Math.min(2, 4 - ended), 'another one is at work');
      for (const ticket of two.begun.keys()) driven.add(ticket);
    }
    assert.equal(driven.size, 4);
    assert.equal(atWork.most, 2);
  });

  it('doesn’t count drives that wait for a person', async () => {
    await rows.limit(2);
    const [one, two] = [await start('one'), await start('two')];
    for (let number = 1; number <= 4; number++) await add(one, number);
    await taking(one);
    await until(() => one.begun.size === 2, 'two are at work');
    await beat('one', 1);
    await taking(two);
    await until(() => one.begun.size + two.begun.size === 3, 'another one is at work');
    assert.deepEqual(await rows.atWork(), { tickets: 2, most: 2 });
    // The person has answered: more than the limit are at work, and no other is taken.
    await beat('one');
    await end(1);
    await Promise.all([looked(one), looked(two)]);
    assert.deepEqual(await rows.atWork(), { tickets: 2, most: 2 });
    await end(1);
    await until(() => one.begun.size + two.begun.size === 2, 'the last one is at work');
  });

  /** Resolves when a runner has a session like this. */
  const has = ({ id }: QueueRunner, state: string): Promise<true> => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'dbos_transact_${id}_%' AND ${state}`;
    return until(async () => (await query(sql)).length > 0, `${id}: ${state}`);
  };

  it('has one runner take after the other, so that two don’t take what there is room for once', async () => {
    await rows.limit(1);
    const [one, two] = [await start('one', 'stops'), await start('two')];
    for (const number of [1, 2]) await add(two, number);
    await taking(one);
    await has(one, `state = 'idle in transaction'`);
    await taking(two);
    await has(two, `wait_event_type = 'Lock'`);
    atWork.resume();
    await until(() => one.begun.size === 1, 'the first takes a ticket');
    await looked(two);
    assert.deepEqual([atWork.most, two.begun.size], [1, 0]);
  });

  it('holds up nobody for long when a runner stops while it takes', async () => {
    await rows.limit(2);
    const [one, two] = [await start('one', 'stops'), await start('two')];
    await add(two, 1);
    await taking(one);
    await has(one, `state = 'idle in transaction'`);
    await taking(two);
    await until(() => two.begun.size === 1, 'the other one takes the ticket', 20_000);
  });
});
