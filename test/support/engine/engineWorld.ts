import { join } from 'node:path';
import * as z from 'zod';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import type { InboxBody, InboxKind } from '../../../src/domain/ticket/inbox.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { statuses, workflow } from '../../../src/domain/workflow/workflow.ts';
import type { HandlerName } from '../../../src/domain/workflow/rows.ts';
import { Engine } from '../../../src/engine/drive/engine.ts';
import type { ActionChanges } from '../../../src/engine/drive/control.ts';
import type { Ports } from '../../../src/engine/ports/ports.ts';
import type { HandlerDefinition, Handlers, Run, StepIo, StageMachine } from '../../../src/engine/run/run.ts';
import type { Behaviour, IdleState } from '../../../src/engine/drive/runner.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { moveBuilders, receiptBuilders } from '../../../src/phases/actionChanges.ts';
import { FakeClock } from '../fakes/fakeClock.ts';
import { newTicket } from '../samples.ts';

interface WorldDatabase {
  readonly store: Store;
  readonly folder: string;
  reopen(): Store;
}

/** An engine over a real database, with a fake clock and a test's own handlers. */
export class EngineWorld {
  readonly clock = new FakeClock();
  readonly events: TicketEvent[] = [];
  readonly ports: Ports;
  readonly #temp: WorldDatabase;
  readonly #known: { store: Store } & Partial<Ports>;
  #engine: Engine | undefined;
  #posts = 0;
  atOnce = 1;

  constructor(temp: WorldDatabase, others: Partial<Omit<Ports, 'store'>> = {}) {
    this.#temp = temp;
    this.#known = {
      events: { emit: (event) => this.events.push(event) },
      ...others,
      store: temp.store,
      clock: this.clock,
    };
    const known = this.#known;
    this.ports = new Proxy(known, {
      get: (target, name) => {
        if (name in target) return target[name as keyof Ports];
        throw new Error(`This test has no port ${String(name)}`);
      },
    }) as Ports;
  }

  get store(): Store {
    return this.#known.store;
  }

  /** What runs continues without effect, as its writes fail; the next start sees only the database. */
  crash(): void {
    this.#known.store = this.#temp.reopen();
  }

  get database(): string {
    return join(this.#temp.folder, 'state.db');
  }

  ticket(): Promise<Ticket> {
    return this.store.createTicket(newTicket);
  }

  async post<K extends InboxKind>(ticket: string, kind: K, body: InboxBody<K>): Promise<string> {
    const id = `post-${String(++this.#posts)}`;
    await this.store.post({ id, ticket, kind, body });
    return id;
  }

  start(behaviour: Behaviour): Engine {
    this.#engine = new Engine(this.ports, behaviour, undefined, this.atOnce);
    void begin(this.#engine, this.store);
    return this.#engine;
  }

  async driveUntilIdle(behaviour: Behaviour, ticket: string): Promise<IdleState> {
    const engine = new Engine(this.ports, behaviour, undefined, this.atOnce);
    this.#engine = engine;
    const settled = new Promise<IdleState>((resolve, reject) => {
      engine.onDidBecomeIdle((end) => {
        if (end.ticket !== ticket) return;
        if ('idle' in end) resolve(end.idle);
        else reject(end.error);
      });
    });
    await begin(engine, this.store);
    const idle = await settled;
    await engine.stop();
    return idle;
  }

  async read(ticket: string): Promise<Ticket> {
    const found = await this.store.ticket(ticket);
    if (!found) throw new Error(`No ticket ${ticket}`);
    return found;
  }

  async kinds(ticket: string): Promise<string[]> {
    return (await this.store.journal(ticket)).map((row) => row.entry.kind);
  }
}

/** Drafts run on their own here; real ones wait for an inbox entry. */
async function begin(engine: Engine, store: Store): Promise<void> {
  await engine.start();
  for (const { id } of await store.tickets()) engine.drive(id);
}

/** Other handlers take the first exit of their row. */
export function behaviourOf(
  handlers: { readonly [H in HandlerName]?: HandlerDefinition<string> },
  options: {
    readonly stages?: StageMachine;
    readonly rewind?: ActionChanges['rewind'];
    readonly prepared?: Partial<Behaviour['prepared']>;
  } = {},
): Behaviour {
  const all: Record<string, HandlerDefinition<string>> = {};
  for (const status of statuses) {
    const row = workflow[status];
    all[row.handler] ??= {
      version: 1,
      run: () => Promise.resolve({ exit: Object.keys(row.exits)[0] ?? '' }),
    };
  }
  return {
    handlers: { ...all, ...handlers } as unknown as Handlers,
    stages: options.stages ?? { version: 1, table: {}, handlers: {} },
    prepared: { cancel: nothing, undo_merge: nothing, ...options.prepared },
    changes: { receipts: receiptBuilders, rewind: options.rewind ?? (() => []), moves: moveBuilders },
  };
}

const nothing: HandlerDefinition<string> = { version: 1, run: () => Promise.resolve({ exit: 'done' }) };

/** Waits for something nobody sends. */
export const stay: HandlerDefinition<string> = {
  version: 1,
  run: async (run) => {
    await run.wait('never', ['merge']);
    return { exit: 'never' };
  },
};

export function scanning(work: (run: Run) => Promise<void>, version = 1): Behaviour {
  const scan = async (run: Run): Promise<{ readonly exit: string }> => {
    await work(run);
    return { exit: 'ready' };
  };
  return behaviourOf({ scanRelevantFiles: { version, run: scan }, draftInterview: stay });
}

export function word(run: Run, key: string, effect: (io: StepIo) => Promise<string>): Promise<string> {
  return run.step(key, z.string(), effect);
}
