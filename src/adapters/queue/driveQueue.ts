import * as z from 'zod';
import { coalesced } from '../../base/coalesced.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Abilities } from '../../domain/team/abilities.ts';
import { lacking } from '../../domain/team/needs.ts';
import { reasonOf } from '../system/files.ts';
import { atWork, lockLimits, mostAtWork, serverNow } from '../system/teamSql.ts';
import { partsOfSources, type TeamParts } from '../system/teamParts.ts';
import { loadSdk, type Sdk } from './sdk.ts';

/** A ticket to drive. */
const DriveOrder = z.object({ repository: z.string(), ticket: z.string(), priority: z.number() });
export type DriveOrder = Readonly<z.infer<typeof DriveOrder>>;

/** The end of a drive. `again`: milliseconds since 1970 at which there is something to do, or null. */
const DriveEnd = z.object({ again: z.number().nullable() });
export type DriveEnd = Readonly<z.infer<typeof DriveEnd>>;

/** A runner that is heard of. `wanted`: only with `work` it takes drives. */
interface LivingRunner {
  readonly id: string;
  readonly version: string;
  readonly wanted: string;
  readonly can?: Abilities;
}

export interface DriveQueueOptions {
  readonly url: string;
  readonly runner: string;
  /** Of what handlers do: started work continues under its version, new work under the newest. */
  readonly version: string;
  /** Drives of this process at a time. */
  readonly atOnce: number;
  /** Milliseconds after which a runner that isn't heard of is taken for gone. */
  readonly silentMs: number;
  /** The number of its drives that let others work meanwhile. */
  readonly asides?: () => number;
  /** The abilities that a drive needs. */
  readonly needs?: (order: Pick<DriveOrder, 'repository' | 'ticket'>) => Promise<readonly string[]>;
  /** Says whether this runner may take drives with these needs. */
  readonly can?: (needs: readonly string[]) => boolean;
  /** Never settles when this process is about to end: another one carries it on. */
  readonly drive: (order: DriveOrder) => Promise<DriveEnd>;
  /** The clock of what drives ask for. Default: this machine's. */
  readonly now?: () => number;
  /** This login may make the tables; else they are there. */
  readonly makesTables: boolean;
  /** Of DBOS. Default: of the sources. */
  readonly parts?: Pick<TeamParts, 'load'>;
  readonly log: (message: string) => void;
}

/** The schema of its tables. */
export const queueSchema = 'beadsmith_queue';
const queueName = 'drive';
/** DBOS's own. */
const table = `"${queueSchema}".workflow_status`;
const versionsTable = `"${queueSchema}".application_versions`;
/** Delayed drives whose time has come wait from then on. */
const letDueGo = `UPDATE ${table} SET status = 'ENQUEUED', updated_at = ${serverNow}
  WHERE status = 'DELAYED' AND delay_until_epoch_ms <= ${serverNow}`;
/** Places in the line of a priority. */
const perPriority = 1_000_000;
const At = z.object({ at: z.coerce.number() });
const Waiting = z.object({ queue: z.string(), isLimited: z.boolean() });
type Waiting = z.infer<typeof Waiting>;
const Room = z.object({ room: z.coerce.number().nullable() });
const Rank = z.object({ rank: z.coerce.number() });
const pollMs = 500;
/** Milliseconds between two questions about drives that nobody can take. */
const rerouteMs = 5_000;
const mostForgotten = 500;

/**
 * The team's queue of drives, on DBOS: it decides who drives and that it continues; the journal and claims
 * decide effects (docs/decisions/218-drives-on-a-queue.md). A process has one.
 */
export class DriveQueue {
  readonly #dbos: Sdk['DBOS'];
  readonly #rows: Sdk['rows'];
  readonly #log: DriveQueueOptions['log'];
  readonly #look: () => Promise<void>;
  readonly #needs: DriveQueueOptions['needs'];
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #takes = false;
  #reroutedAt = Number.NEGATIVE_INFINITY;

  private constructor(sdk: Sdk, options: DriveQueueOptions) {
    this.#now = options.now ?? (() => Date.now());
    this.#dbos = sdk.DBOS;
    this.#rows = (sql, values) => sdk.rows(sql, values);
    this.#log = options.log;
    this.#needs = options.needs;
    this.#look = coalesced(async () => {
      await this.#rows(letDueGo, []);
      while (await this.#takeNext(sdk, options));
    });
    // Others add drives as well, and some wait for a time.
    this.#timer = setInterval(() => this.look(), pollMs);
  }

  static async open(options: DriveQueueOptions): Promise<DriveQueue> {
    const { url, runner, version, makesTables, drive, log, parts = partsOfSources } = options;
    const sdk = await loadSdk(parts);
    const { DBOS } = sdk;
    const note = (entry: unknown): void => log(`queue: ${String(entry)}`);
    const nothing = (): void => undefined;
    DBOS.setConfig({
      name: 'beadsmith',
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: queueSchema,
      systemDatabasePoolSize: 5,
      runMigrations: makesTables,
      executorID: runner,
      applicationVersion: version,
      // It would take drives for a runner that is paused, and can't be asked to look now.
      listenQueues: [],
      logger: { info: nothing, debug: nothing, warn: note, error: note },
    });
    const work = async (given: DriveOrder): Promise<void> => {
      const order = DriveOrder.parse(given);
      const { again } = DriveEnd.parse(await DBOS.runStep(() => drive(order), { name: 'drive' }));
      // Another one each time, also for the same moment: clocks differ, and this one may have been early.
      const id = `@${again ?? 0}-${sha256(DBOS.workflowID ?? '').slice(0, 8)}`;
      if (again !== null) await queue.add(order, { id, at: again });
    };
    DBOS.registerWorkflow(work, { name: queueName });
    await DBOS.launch();
    const queue = new DriveQueue(sdk, options);
    return queue;
  }

  /** Lets go what is due, and takes what waits now, if it takes anything and has a slot. */
  look(): void {
    this.#look().catch((error: unknown) => this.#log(`Nothing is taken: ${reasonOf(error)}`));
  }

  /** Takes the most urgent of what waits; false: this runner can't, or there is nothing. */
  async #takeNext(
    sdk: Sdk,
    { atOnce, silentMs, asides = () => 0, can = () => true }: DriveQueueOptions,
  ): Promise<boolean> {
    const onEnd = (): void => this.look();
    const mayTake = (): boolean => this.#takes && sdk.running() < atOnce + asides();
    if (!mayTake()) return false;
    const waiting = (await this.#waiting()).filter(({ queue }) => can(needsOfQueue(queue)));
    // Of several queues, the next may have the most urgent now.
    const most = waiting.length > 1 ? 1 : atOnce;
    const take = async (room: number): Promise<boolean> => {
      for (const { queue } of waiting) {
        if (!mayTake()) return false;
        const limits = { atOnce: atOnce + asides(), most: Math.min(most, room), onEnd };
        if ((await sdk.take(queue, limits)) > 0) return true;
      }
      return false;
    };
    if (!waiting.some(({ isLimited }) => isLimited)) return take(most);
    // Two runners that count at the same time would both take what there is room for once.
    return sdk.alone(lockLimits, async (rows) => {
      const [row] = await rows(`SELECT ${mostAtWork} - ${atWork(silentMs)} AS room`, []);
      const room = Room.parse(row).room ?? most;
      return room > 0 && take(room);
    });
  }

  /** Takes drives from now on, or no more. It begins with none; those that run continue. */
  takes(isOn: boolean): void {
    this.#takes = isOn;
    if (isOn) this.look();
  }

  /**
   * Adds a drive once for each reason (`id`), and none while the ticket has one that waits or runs. `at`: not
   * before.
   */
  async add(order: DriveOrder, { id, at }: { readonly id: string; readonly at?: number }): Promise<void> {
    // What it asks besides must not fail: a drive that is to be continued later would be lost.
    const of = placeOf(order);
    const workflowID = `${of} ${id}`;
    const inMs = at === undefined ? 0 : Math.max(0, at - this.#now());
    try {
      await this.#dbos.enqueueWorkflowWithOptions(
        {
          queueName: [queueName, ...(await this.#needed(order))].join(' '),
          workflowName: queueName,
          workflowID,
          priority: await this.#rank(order).catch(() => order.priority * perPriority),
          ...(at === undefined ? { deduplicationID: of } : { delaySeconds: inMs / 1_000 }),
        },
        order,
      );
      // DBOS takes the time of this machine's clock.
      const late = `UPDATE ${table} SET delay_until_epoch_ms = ${serverNow} + $2 WHERE workflow_uuid = $1 AND status = 'DELAYED'`;
      if (inMs > 0) await this.#alone(workflowID, () => this.#rows(late, [workflowID, Math.round(inMs)]));
    } catch (error) {
      if (!(error instanceof Error) || !/Duplicated/.test(error.name + error.constructor.name)) throw error;
    }
  }

  /** Adds those of several drives that can be added, most of which are there already. */
  async addNew(orders: readonly (DriveOrder & { readonly id: string })[]): Promise<void> {
    if (orders.length === 0) return;
    const sql = `SELECT at FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS one (id, place, at)
      WHERE NOT EXISTS (SELECT FROM ${table} WHERE workflow_uuid = one.place || ' ' || one.id)
        AND NOT EXISTS (SELECT FROM ${table} WHERE deduplication_id = one.place)`;
    const found = await this.#rows(sql, [orders.map(({ id }) => id), orders.map(placeOf)]);
    const isNew = new Set(found.map((row) => At.parse(row).at));
    for (const [at, { id, ...order }] of orders.entries())
      if (isNew.has(at + 1)) await this.add(order, { id });
  }

  /**
   * The queues with a drive that waits, that with the most urgent first: one for each set of needs.
   * `isLimited`: the team limits the tickets at work.
   */
  async #waiting(): Promise<readonly Waiting[]> {
    const sql = `SELECT queue_name AS queue, ${mostAtWork} IS NOT NULL AS "isLimited" FROM ${table}
      WHERE name = $1 AND status = 'ENQUEUED' GROUP BY queue_name ORDER BY min(priority), min(created_at)`;
    return (await this.#rows(sql, [queueName])).map((row) => Waiting.parse(row));
  }

  /** None where they can't be told: who takes it finds out. */
  async #needed(order: Pick<DriveOrder, 'repository' | 'ticket'>): Promise<readonly string[]> {
    try {
      return (await this.#needs?.(order)) ?? [];
    } catch (error) {
      this.#log(`${placeOf(order)}: what it needs can't be told: ${reasonOf(error)}`);
      return [];
    }
  }

  /**
   * The place in the line of its priority: repositories take turns. A drive comes after its repository's
   * last, and no earlier than the newest that runs, so that a repository saves up no turns.
   */
  async #rank({ repository, priority }: DriveOrder): Promise<number> {
    const first = priority * perPriority;
    const sql = `SELECT greatest($1::bigint,
        max(priority) FILTER (WHERE starts_with(workflow_uuid, $3)) + 1,
        coalesce(max(priority) FILTER (WHERE status = 'PENDING'), min(priority) FILTER (WHERE status = 'ENQUEUED'))) AS rank
      FROM ${table} WHERE name = $4 AND status IN ('ENQUEUED', 'PENDING') AND priority BETWEEN $1 AND $2`;
    const last = first + perPriority - 1;
    const [row] = await this.#rows(sql, [first, last, `${repository} `, queueName]);
    return Math.min(last, Rank.parse(row).rank);
  }

  /**
   * Gives the drives of runners that are gone to others. `living`: asked after the drives were listed, so
   * that no runner that has just started counts as gone.
   */
  async takeFromGone(
    living: () => Promise<readonly LivingRunner[]>,
  ): Promise<(order: Pick<DriveOrder, 'repository' | 'ticket'>) => boolean> {
    // Also those whose restamp was cut off: nothing else cancels one, and then it is in no queue.
    const all = await this.#dbos.listWorkflows({
      status: ['PENDING', 'ENQUEUED', 'CANCELLED'],
      workflowName: queueName,
      loadInput: false,
    });
    const [started, waiting] = [
      all.filter(({ status }) => status === 'PENDING'),
      all.filter(({ status }) => status === 'ENQUEUED'),
    ];
    const runners = await living();
    const ids = new Set(runners.map(({ id }) => id));
    const versions = new Set(runners.flatMap((one) => (one.wanted === 'work' ? [one.version] : [])));
    // An order that nobody has started has none, or null: the newest version's.
    const isKnown = (version?: string | null): boolean => !version || versions.has(version);
    for (const { workflowID, executorId, applicationVersion, queueName: queue = queueName } of started) {
      if (ids.has(executorId ?? '')) continue;
      this.#log(`${workflowID}: its runner is gone; another one carries on`);
      await this.#alone(workflowID, () =>
        isKnown(applicationVersion)
          ? this.#dbos.resumeWorkflow(workflowID, { queueName: queue })
          : this.#restamp(workflowID, queue),
      );
    }
    for (const { workflowID, applicationVersion, queueName: queue = queueName } of waiting)
      if (!isKnown(applicationVersion)) await this.#alone(workflowID, () => this.#restamp(workflowID, queue));
    for (const { workflowID, status } of all)
      if (status === 'CANCELLED') await this.#alone(workflowID, () => this.#putBack(workflowID, queueName));
    await this.#reroute(waiting, runners);
    const latest = await this.#dbos.getLatestApplicationVersion();
    // By the clock of the runner that did it last, the newest one could be of the time to come.
    const newest = `UPDATE ${versionsTable} SET version_timestamp = (SELECT max(version_timestamp) + 1 FROM ${versionsTable})
      WHERE version_name = $1`;
    if (!versions.has(latest.versionName)) await this.#rows(newest, [this.#dbos.applicationVersion]);
    const queued = new Set(all.map(({ workflowID }) => workflowID.replace(/ [^ ]*$/, '')));
    return (order) => queued.has(placeOf(order));
  }

  /** Asks again what drives need that no runner can take: it changes. */
  async #reroute(
    waiting: readonly { readonly workflowID: string; readonly queueName?: string }[],
    runners: readonly LivingRunner[],
  ): Promise<void> {
    if (performance.now() - this.#reroutedAt < rerouteMs) return;
    this.#reroutedAt = performance.now();
    const able = runners.filter(({ wanted }) => wanted === 'work');
    for (const { workflowID, queueName: queue = queueName } of waiting) {
      const needs = needsOfQueue(queue);
      if (able.some(({ can = {} }) => lacking(can, needs).length === 0)) continue;
      const words = workflowID.split(' ');
      const order = { repository: words.slice(0, -2).join(' '), ticket: words.at(-2) ?? '' };
      const now = [queueName, ...(await this.#needed(order))].join(' ');
      if (now !== queue)
        await this.#alone(workflowID, () => this.#dbos.resumeWorkflow(workflowID, { queueName: now }));
    }
  }

  /** Forgets drives that ended long ago. An entry that nobody has taken since is queued once more. */
  async forgetEnded(before: number): Promise<void> {
    for (let isFull = true; isFull;) {
      const ended = await this.#dbos.listWorkflows({
        status: ['SUCCESS', 'ERROR'],
        workflowName: queueName,
        completedBefore: new Date(before).toISOString(),
        limit: mostForgotten,
        loadInput: false,
        loadOutput: false,
      });
      if (ended.length > 0) await this.#dbos.deleteWorkflows(ended.map(({ workflowID }) => workflowID));
      isFull = ended.length === mostForgotten;
    }
  }

  async close(): Promise<void> {
    this.#takes = false;
    clearInterval(this.#timer);
    await this.#look().catch(() => undefined);
    // A process may open it again.
    await this.#dbos.shutdown({ deregister: true });
  }

  /** One that can't be given on doesn't keep the others. */
  async #alone(id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log(`${id} can't be given on: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** No runner of its version is left: its runs are superseded. */
  async #restamp(id: string, queue: string): Promise<void> {
    await this.#dbos.cancelWorkflow(id);
    await this.#putBack(id, queue);
  }

  async #putBack(id: string, queue: string): Promise<void> {
    const { applicationVersion } = this.#dbos;
    await this.#dbos.rewindWorkflow(id, { queueName: queue, applicationVersion });
  }
}

/** A queue's name is that of the drives, and what they need. */
export function needsOfQueue(name: string): readonly string[] {
  return name.split(' ').slice(1);
}

function placeOf({ repository, ticket }: Pick<DriveOrder, 'repository' | 'ticket'>): string {
  return `${repository} ${ticket}`;
}
