import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { commands, type ExtensionContext, window } from 'vscode';
import * as z from 'zod';
import { activationTimes } from './activationTimes.ts';
import {
  type ProbeAnswer,
  type ProbeInput,
  ProbeOrders,
  type ProbePlace,
  type ProbeQuestion,
  probeQuestions,
  probeViews,
} from './probeWords.ts';
import { heldBytes } from './heldBytes.ts';
import { IdleWatch } from './idleWatch.ts';
import { loopDelay } from './loopDelay.ts';
import { ProductLoading } from './productLoading.ts';
import { StaticTree } from './staticTree.ts';
import { TreeMeter } from './treeMeter.ts';

type Answers = {
  readonly [Q in ProbeQuestion]: (input: ProbeInput<Q>) => ProbeAnswer<Q> | Promise<ProbeAnswer<Q>>;
};

/**
 * An extension of the benchmark's own, in the same host as the product: trees of static rows to compare with,
 * and a loopback server that answers what only code in the host can tell.
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
