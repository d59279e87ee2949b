import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { type DriveEnd, type DriveOrder, DriveQueue } from '../../../src/adapters/queue/driveQueue.ts';

/** The start of a thread with the queue of a runner, of which a thread has one. */
export interface QueueRunnerStart {
  readonly url: string;
  readonly runner: string;
  readonly atOnce: number;
  /** Drives at work in all threads: now, and the most there were. Last, 1 lets what stopped continue. */
  readonly atWork: Int32Array;
  /**
   * `ends`: drives end by themselves, and it always looks for more. `stops`: the thread stops while it takes
   * its first drive.
   */
  readonly does?: 'ends' | 'stops';
}

export type ToQueueRunner =
  | { readonly do: 'add'; readonly order: DriveOrder; readonly needs: readonly string[] }
  | { readonly do: 'takes' }
  | { readonly do: 'end'; readonly ticket: string }
  | { readonly do: 'lead'; readonly living: readonly string[] };

/** A drive's ticket, with the number of those at work, or an order that was carried out. */
export type FromQueueRunner = { readonly begun: string; readonly atWork: number } | { readonly done: string };

const { url, runner, atOnce, atWork, does } = workerData as QueueRunnerStart;
const port = parentPort;
if (!port) throw new Error('this is a thread of a test');
const say = (told: FromQueueRunner): void => port.postMessage(told);
const needs = new Map<string, readonly string[]>();
const ends = new Map<string, () => void>();
const workMs = 20;
let asked = 0;
/** Asked for before it looks what waits, and again before it takes some of it. */
const asides = (): number => {
  asked += 1;
  if (does === 'stops' && asked === 2) Atomics.wait(atWork, 2, 0);
  return 0;
};

const queue = await DriveQueue.open({
  url,
  runner,
  version: 'v1',
  atOnce,
  silentMs: 60_000,
  makesTables: true,
  asides,
  needs: ({ ticket }) => Promise.resolve(needs.get(ticket) ?? []),
  drive: ({ ticket }) => {
    const now = Atomics.add(atWork, 0, 1) + 1;
    for (let most = Atomics.load(atWork, 1); now > most; most = Atomics.load(atWork, 1))
      Atomics.compareExchange(atWork, 1, most, now);
    say({ begun: ticket, atWork: now });
    return new Promise<DriveEnd>((resolve) => {
      const end = (): void => {
        Atomics.sub(atWork, 0, 1);
        resolve({ again: null });
      };
      ends.set(ticket, end);
      if (does === 'ends') setTimeout(end, workMs);
    });
  },
  log: () => undefined,
});

async function follow(order: ToQueueRunner): Promise<void> {
  switch (order.do) {
    case 'add':
      needs.set(order.order.ticket, order.needs);
      await queue.add(order.order, { id: randomUUID() });
      break;
    case 'takes':
      queue.takes(true);
      break;
    case 'end':
      ends.get(order.ticket)?.();
      break;
    case 'lead':
      await queue.takeFromGone(() =>
        Promise.resolve(order.living.map((id) => ({ id, version: 'v1', wanted: 'work' }))),
      );
  }
  say({ done: order.do });
}

if (does === 'ends') setInterval(() => queue.look(), workMs / 4);
port.on('message', (order: ToQueueRunner) => void follow(order));
say({ done: 'open' });
