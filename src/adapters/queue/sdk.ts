import { randomUUID } from 'node:crypto';
import type * as sdk from '@dbos-inc/dbos-sdk';
import type * as executors from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import type * as databases from '@dbos-inc/dbos-sdk/internal/system_database';
import type * as queues from '@dbos-inc/dbos-sdk/internal/wfqueue';
import type { TeamParts } from '../system/teamParts.ts';

const name = '@dbos-inc/dbos-sdk';
/** Milliseconds for which a process that is cut off keeps others from taking. */
const cutOffMs = 10_000;

/** DBOS, and its own function that starts what waits. */
export interface Sdk {
  readonly DBOS: typeof sdk.DBOS;
  /**
   * Starts workflows that wait in a queue, the most urgent first, until `atOnce` run in this process, and no
   * more than `most`. Answers how many; `onEnd`: after each. DBOS alone would ask once in an interval, in
   * every process, for as long as it lives.
   */
  take(queue: string, limits: TakeLimits): Promise<number>;
  /** The number of workflows that run in this process. */
  running(): number;
  /**
   * Works in a transaction that only asks: `lock` keeps others out until its end, which comes by itself where
   * this process stops in the middle.
   */
  alone<T>(lock: string, work: (rows: Sdk['rows']) => Promise<T>): Promise<T>;
  /** Asks its tables, for what DBOS doesn't tell. */
  rows(sql: string, values: readonly unknown[]): Promise<readonly unknown[]>;
}

export interface TakeLimits {
  readonly atOnce: number;
  readonly most: number;
  readonly onEnd: () => void;
}

/** Throws what `parts` throws. */
export async function loadSdk(parts: Pick<TeamParts, 'load'>): Promise<Sdk> {
  const { DBOS } = (await parts.load(name)) as typeof sdk;
  const { DBOSExecutor } = (await parts.load(`${name}/internal/dbos-executor`)) as typeof executors;
  const { WorkflowQueue } = (await parts.load(`${name}/internal/wfqueue`)) as typeof queues;
  const { SystemDatabase } = (await parts.load(`${name}/internal/system_database`)) as typeof databases;
  // DBOS goes by the clock of its process. After one that was ahead is set back, it would wait for that long.
  SystemDatabase.prototype.transitionDelayedWorkflows = () => Promise.resolve();
  const take: Sdk['take'] = async (queueName, { atOnce, most, onEnd }) => {
    const executor = DBOSExecutor.globalInstance;
    if (!executor) return 0;
    const { systemDatabase, executorID } = executor;
    const running = systemDatabase.runningWorkflowMap.size;
    const queue = new WorkflowQueue(
      WorkflowQueue.recordFromParams(queueName, { workerConcurrency: Math.min(atOnce, running + most) }),
      false,
    );
    const owner = randomUUID();
    const ids = await systemDatabase.findAndMarkStartableWorkflows(
      queue,
      executorID,
      DBOS.applicationVersion,
      undefined,
      running,
      0,
      owner,
    );
    await executor.dispatchDequeuedWorkflows(ids, owner);
    for (const id of ids)
      for (const { promise } of systemDatabase.runningWorkflowMap.get(id) ?? []) void promise.then(onEnd);
    return ids.length;
  };
  const alone: Sdk['alone'] = async (lock, work) => {
    const client = await DBOSExecutor.globalInstance?.systemDatabase.connect();
    if (!client) throw new Error('the queue is closed');
    try {
      await client.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${cutOffMs}; ${lock}`,
      );
      return await work(async (sql, values) => (await client.query<object>(sql, [...values])).rows);
    } finally {
      await client.query('ROLLBACK').catch(() => undefined);
      client.release();
    }
  };
  const running = (): number => DBOSExecutor.globalInstance?.systemDatabase.runningWorkflowMap.size ?? 0;
  const rows: Sdk['rows'] = async (sql, values) => {
    const pool = DBOSExecutor.globalInstance?.systemDatabase.pool;
    return pool ? (await pool.query<object>(sql, [...values])).rows : [];
  };
  return { DBOS, take, running, alone, rows };
}
