import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Ports, SessionRef } from '../../../src/engine/ports/ports.ts';
import type { Store, Transaction } from '../../../src/engine/ports/storePort.ts';
import type { Crash, CrashRecord, CrashTarget } from './crashPoints.ts';
import { crashTargets } from './crashPoints.ts';
import { until } from '../until.ts';

/** Ports that do everything the real ones do, and end this process with SIGKILL at one point of one step. */
export function crashPorts(ports: Ports, crash: Crash, recordFile: string): Ports {
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
  /** Lets the step's own call begin and never lets it come back. */
  const during = async <T>(
    name: string,
    args: readonly unknown[],
    call: () => T | Promise<T>,
  ): Promise<T> => {
    if (!begun || crash.point !== 'in the middle' || name !== act) return call();
    if (name === 'agent.prompt') {
      const [session, request] = args as Parameters<Agent['prompt']>;
      // The other members of a council work at the same time.
      if (!request.member.endsWith('/alpha')) return call();
      const working = Promise.resolve(call());
      return die(await untilBusy(ports.agent, session, working));
    }
    void Promise.resolve(call());
    // Long enough for the first child process to be on its way, however little of the work it has done.
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

/**
 * Waits until OpenCode says that it works on the prompt (or has answered already: then it was faster), and
 * answers the state it was in.
 */
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
