import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, createServer } from 'node:http';
import { join } from 'node:path';
import {
  type ExtensionContext,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  commands,
  window,
} from 'vscode';
import * as z from 'zod';
import {
  type ProbeAnswer,
  type ProbeInput,
  ProbeOrders,
  type ProbePlace,
  type ProbeQuestion,
  probeQuestions,
  probeViews,
} from './probeWords.ts';
import { ProductLoading, TreeMeter } from './productLoading.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import threads, { BroadcastChannel, type WorkerOptions } from 'node:worker_threads';
import { type ShortTimer, watchTimers } from './timerWatch.ts';

type Answers = {
  readonly [Q in ProbeQuestion]: (input: ProbeInput<Q>) => ProbeAnswer<Q> | Promise<ProbeAnswer<Q>>;
};

/**
 * Trees of static rows in the product's host, and a loopback server that answers what only code in the host
 * can tell.
 */
export async function activate(context: ExtensionContext): Promise<void> {
  const { place, rows } = ProbeOrders.parse(
    JSON.parse(readFileSync(join(context.extensionPath, 'orders.json'), 'utf8')),
  );
  for (const [view, title] of Object.entries(probeViews))
    context.subscriptions.push(
      window.createTreeView(`bench.${view}`, { treeDataProvider: new StaticTree(title, rows) }),
    );
  const idle = new IdleWatch();
  const meter = new TreeMeter();
  const loading = new ProductLoading(meter.metered);
  const answers: Answers = {
    run: async ({ command, args }) => {
      const startedAt = Date.now();
      await commands.executeCommand(command, ...args);
      return { startedAt };
    },
    activation: () => ({
      ...activationTimes('beadsmith.beadsmith'),
      ownPrepareMs: activationTimes(context.extension.id).prepareMs,
      processorMs: loading.processorMs ?? Number.NaN,
      laterMs: loading.laterMs,
    }),
    provider: () => meter.take(),
    loopDelay: ({ ms }) => loopDelay(ms),
    held: async () => ({ bytes: await heldBytes() }),
    watchTimers: () => {
      idle.start(context.extensionPath);
      return {};
    },
    shortTimers: async ({ ms }) => {
      const before = idle.count;
      return { timers: [...(await idle.during(ms))], before };
    },
  };
  const port = await serve(answers);
  writeFileSync(place, JSON.stringify({ port, pid: process.pid } satisfies ProbePlace));
}

async function serve(answers: Answers): Promise<number> {
  const server = createServer((request, response) => {
    answer(answers, request).then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return z.object({ port: z.number() }).parse(server.address()).port;
}

async function answer(answers: Answers, request: IncomingMessage): Promise<unknown> {
  const question = z.enum(Object.keys(probeQuestions) as ProbeQuestion[]).parse(request.url?.slice(1));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const input: unknown = probeQuestions[question].input.parse(JSON.parse(Buffer.concat(chunks).toString()));
  // What a question's schema has parsed is what its answer takes.
  const serve = answers[question] as (input: unknown) => unknown;
  return serve(input);
}

const Marks = z.array(z.object({ name: z.string(), startTime: z.number() }));
const Keeper = z.object({
  MonacoPerformanceMarks: z.custom<{ getMarks(): unknown }>((value) => value !== undefined),
});

/** The editor's own marks, in whole milliseconds since 1970. */
function activationTimes(
  extension: string,
): Pick<ProbeAnswer<'activation'>, 'loadMs' | 'prepareMs' | 'activateMs'> {
  const marks = Marks.parse(Keeper.parse(globalThis).MonacoPerformanceMarks.getMarks());
  const at = (name: string): number => {
    const mark = marks.find((one) => one.name === `code/extHost/${name}/${extension}`);
    if (!mark) throw new Error(`The editor noted no ${name} of ${extension}. Was it activated?`);
    return mark.startTime;
  };
  const [begun, loaded, entered, done] = [
    at('willLoadExtensionCode'),
    at('didLoadExtensionCode'),
    at('willActivateExtension'),
    at('didActivateExtension'),
  ];
  return { loadMs: loaded - begun, prepareMs: entered - loaded, activateMs: done - entered };
}

const Collect = z.custom<() => void>((value) => typeof value === 'function');

/** Bytes, once everything is gone that nobody refers to. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = Collect.parse(runInNewContext('gc'));
  // What is let go by a collection goes with the next round.
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** As Node measures it: how long a timer of 10 ms takes. */
async function loopDelay(ms: number): Promise<ProbeAnswer<'loopDelay'>> {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  await new Promise((resolve) => setTimeout(resolve, ms));
  histogram.disable();
  const [p50, p99, max] = [histogram.percentile(50), histogram.percentile(99), histogram.max].map(
    (nanoseconds) => nanoseconds / 1e6,
  );
  return { p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN, max: max ?? Number.NaN };
}

/**
 * What the product makes of short timers, in the extension host's main thread and in the product's threads.
 */
class IdleWatch {
  readonly #timers: ShortTimer[] = [];

  /** `folder`: the probe's own. The product mustn't be awake yet. */
  start(folder: string): void {
    watchTimers((timer) => this.#timers.push(timer));
    const channel = new BroadcastChannel('bench timers');
    channel.onmessage = ({ data }: { data: ShortTimer }) => this.#timers.push(data);
    const { Worker } = threads;
    threads.Worker = class extends Worker {
      constructor(file: string | URL, options: WorkerOptions = {}) {
        const execArgv = [...(options.execArgv ?? []), '--require', join(folder, 'workerTimers.cjs')];
        super(file, String(file).includes('beadsmith.beadsmith-') ? { ...options, execArgv } : options);
      }
    };
  }

  /** In so many milliseconds from now on. */
  async during(ms: number): Promise<readonly string[]> {
    const start = Date.now();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return this.#timers.filter(({ at }) => at >= start).map(({ what }) => what);
  }

  /** While it worked, the product makes some. */
  get count(): number {
    return this.#timers.length;
  }
}

interface Row {
  readonly label: string;
  readonly below: readonly Row[];
}

/** Labels that never change. */
class StaticTree implements TreeDataProvider<Row> {
  readonly #rows: readonly Row[];

  /** As many unfolded rows as numbers, each with so many rows below it. */
  constructor(title: string, counts: readonly number[]) {
    this.#rows = counts.map((count, at) => ({
      label: `${title} ${String(at)}`,
      below: Array.from({ length: count }, (_, below) => ({
        label: `${title} ${String(at)}.${String(below)}`,
        below: [],
      })),
    }));
  }

  getChildren(row?: Row): Row[] {
    return [...(row?.below ?? this.#rows)];
  }

  getTreeItem({ label, below }: Row): TreeItem {
    return new TreeItem(
      label,
      below.length > 0 ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.None,
    );
  }
}
