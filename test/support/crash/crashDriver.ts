import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import { openParts } from '../../../src/app/createApp.ts';
import { continueHere } from '../../../src/app/runner/continueHere.ts';
import { PushedCommits } from '../../../src/app/tickets/pushedCommits.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { DrivenApp, type DrivenAppParts } from '../../../src/app/app.ts';
import { driveToStop } from '../../../src/cli/drive/driveToStop.ts';
import { gateNames } from '../../../src/cli/base/gates.ts';
import { Limits, completeSettings } from '../../../src/domain/settings/settings.ts';
import { Crash, type CrashRecord, type CrashTarget, crashTargets } from './crashPoints.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Ports, SessionRef } from '../../../src/engine/ports/ports.ts';
import type { Store, Transaction } from '../../../src/engine/ports/storePort.ts';
import { until } from '../until.ts';

/**
 * Drives one ticket as far as it goes, or until it is killed: `node crashDriver.ts '<json>'`. Ports are the
 * real ones, wrapped only with a `crash`.
 */
export const CrashOrders = z.object({
  folder: z.string(),
  server: z.object({ url: z.string(), password: z.string() }),
  provider: z.string(),
  crash: Crash.nullable(),
  /** One CrashRecord a line. */
  record: z.string(),
  /** On a machine of a team: the ticket may come from another one. */
  team: z.boolean().default(false),
});
export type CrashOrders = z.input<typeof CrashOrders>;

const crashTicket = {
  title: 'Keep a note of the crash',
  description: 'One small note, tested.',
  priority: 3,
  key: 'crash',
};

async function drive(orders: z.infer<typeof CrashOrders>): Promise<void> {
  const record = (entry: CrashRecord): void => {
    appendFileSync(orders.record, `${JSON.stringify(entry)}\n`);
  };
  const opened = await openParts({
    folder: orders.folder,
    drive: true,
    adopt: orders.team,
    decisions: { decide: () => Promise.resolve() },
    env: process.env,
    sandbox: 'off',
    opencode: orders.server,
  });
  const team = orders.team ? await onTeamMachine(opened) : undefined;
  const parts = team?.parts ?? opened;
  const app = new DrivenApp(
    orders.crash ? { ...parts, ports: crashPorts(parts.ports, orders.crash, orders.record) } : parts,
  );
  const { id, status } = await app.client.create(crashTicket);
  const pending = await app.ports.store.inbox(id, { pending: true });
  if (status === 'DRAFT' && pending.length === 0) {
    const member = (model: string): string => `${orders.provider}/${model}`;
    const council = { mainImplementer: member('alpha'), councilMembers: [member('beta')] };
    const settings = completeSettings({
      depth: 'full',
      ...council,
      review: 'off',
      integration: 'squash',
      agentQuestions: 'deny',
    });
    const { id: entry } = await app.client.act(id, 'start', { settings, limits: Limits.parse({}) });
    record({ type: 'posted', action: 'start', id: entry });
  }
  await team?.continueHere(id);
  await app.start([id]);
  const end = await driveToStop(
    { app, reopen: () => Promise.reject(new Error('Nobody takes the place of this driver.')) },
    id,
    {
      policy: { approve: new Set(gateNames), answers: undefined, skipInterview: true, end: 'close' },
      signal: new AbortController().signal,
      output: {
        event: (event) => {
          if (event.type === 'posted') record({ type: 'posted', action: event.action, id: event.id });
        },
        text: () => undefined,
        close: () => undefined,
      },
    },
  );
  const error = end?.error ? `${end.error.code}: ${end.error.message}` : null;
  record({ type: 'stopped', status: end?.ticket.status ?? '', error });
  await app.dispose();
  process.exit();
}

const onRemote = { of: () => Promise.resolve({ now: '', wanted: '' }), settle: () => Promise.resolve() };

/** As a runner drives, but for the claims. */
async function onTeamMachine(opened: DrivenAppParts) {
  const git = new GitAdapter({ folder: opened.repository.root, environment: process.env });
  const refs = await git.ticketRefs();
  const { store } = new PushedCommits({
    ...opened.ports,
    places: onRemote,
    refs: () => Promise.resolve(refs),
  });
  const ports = { ...opened.ports, store };
  const { signal } = new AbortController();
  return {
    parts: { ...opened, ports },
    continueHere: (ticket: string) => continueHere({ ports, refs, signal }, ticket),
  };
}

/** Real ports that end this process with SIGKILL at one point of one step. */
function crashPorts(ports: Ports, crash: Crash, recordFile: string): Ports {
  const { step, act }: CrashTarget = crashTargets[crash.target];
  let at: { readonly run: string; readonly key: string } | undefined;
  let begun = false;

  const die = (saw: string | null = null): Promise<never> => {
    const record: CrashRecord = { type: 'killed', ...crash, run: at?.run ?? '', key: at?.key ?? '', saw };
    appendFileSync(recordFile, `${JSON.stringify(record)}\n`);
    process.kill(process.pid, 'SIGKILL');
    return new Promise<never>(() => undefined);
  };
  const entryOf = (transaction: Transaction, kind: 'step.intent' | 'step.done') => {
    const found = transaction.journal.find(
      (entry) => entry.kind === kind && step.test(`${entry.run} ${entry.key}`),
    );
    return found?.kind === kind ? { run: found.run, key: found.key } : undefined;
  };
  const commit: Store['commit'] = async (transaction) => {
    const intent = entryOf(transaction, 'step.intent');
    const receipt = entryOf(transaction, 'step.done');
    at ??= intent ?? receipt;
    if (intent && crash.point === 'before the intent') return die();
    if (receipt && crash.point === 'before the receipt') return die();
    const committed = await ports.store.commit(transaction);
    if (intent) begun = true;
    if (intent && crash.point === 'after the intent') return die();
    if (receipt && crash.point === 'after the receipt') return die();
    return committed;
  };
  /** Lets the step's own call begin and never come back. */
  const during = async <T>(
    name: string,
    args: readonly unknown[],
    call: () => T | Promise<T>,
  ): Promise<T> => {
    if (!begun || crash.point !== 'in the middle' || name !== act) return call();
    if (name === 'agent.prompt') {
      const [session, request] = args as Parameters<Agent['prompt']>;
      // Other members of a council work at the same time.
      if (!request.member.endsWith('/alpha')) return call();
      const working = Promise.resolve(call());
      return die(await untilBusy(ports.agent, session, working));
    }
    void Promise.resolve(call());
    // Enough for the first child process to be on its way.
    await pause(name.startsWith('store.') ? 0 : 10);
    return die();
  };
  return {
    ...ports,
    store: replacing(ports.store, {
      commit,
      artifact: (...args) => during('store.artifact', args, () => ports.store.artifact(...args)),
    }),
    agent: watched('agent', ports.agent, during),
    git: watched('git', ports.git, during),
    process: watched('process', ports.process, during),
  };
}

/** Waits until OpenCode works on the prompt, or has answered already. */
async function untilBusy(agent: Agent, session: SessionRef, working: Promise<unknown>): Promise<string> {
  let isOver = false;
  void working.then(() => (isOver = true));
  const look = async (): Promise<string | undefined> => {
    const { state } = await agent.look(session);
    return state === 'busy' || isOver ? state : undefined;
  };
  return until(look, 'the server works on the prompt');
}

function replacing<T extends object>(port: T, replaced: Partial<T>): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in replaced ? replaced : target, name);
      return typeof value === 'function'
        ? (...args: readonly unknown[]): unknown => Reflect.apply(value, target, args)
        : value;
    },
  });
}

function watched<T extends object>(
  port: string,
  target: T,
  during: (name: string, args: readonly unknown[], call: () => unknown) => Promise<unknown>,
): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) =>
        during(`${port}.${String(name)}`, args, () => Reflect.apply(value, object, args) as unknown);
    },
  });
}

if (import.meta.main) await drive(CrashOrders.parse(JSON.parse(process.argv[2] ?? '')));
