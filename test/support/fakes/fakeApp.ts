import type { App } from '../../../src/app/app.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { inboxBodies } from '../../../src/domain/ticket/inbox.ts';
import type { Engine } from '../../../src/engine/drive/engine.ts';
import type {
  Agent,
  BaseBranch,
  Git,
  Ports,
  PromptOverride,
  PromptSource,
  Repository,
} from '../../../src/engine/ports/ports.ts';
import type { JournalRow, Store } from '../../../src/engine/ports/storePort.ts';
import type { Client } from '../../../src/protocol/api.ts';
import type { FakeClient } from './fakeClient.ts';
import { FakeClock } from './fakeClock.ts';
import { noForge } from './noForge.ts';
import { FakePlace, ticketDetail, type TicketChanges } from './ticketPlace.ts';

interface Behind {
  readonly repository?: Partial<Client['repository']>;
  readonly ports?: Partial<Ports>;
  /** Whether this process drives tickets, so that it asks OpenCode for its models. */
  readonly drives?: boolean;
}

/** The app of a command, with the ticket TST-1, which is idle wherever it stands. */
export class FakeApp implements App {
  readonly place: FakePlace;
  readonly client: FakeClient;
  readonly mode: App['mode'] = 'driver';
  readonly repository: Repository;
  readonly engine: App['engine'];
  readonly ports: Ports;
  journal: readonly JournalRow[] = [];
  inbox: Awaited<ReturnType<Store['inbox']>> = [];
  readonly started: ('all' | readonly string[])[] = [];
  readonly created: Parameters<Client['create']>[0][] = [];
  disposed = 0;

  constructor(changes: TicketChanges = {}, { repository = {}, ports = {}, drives = false }: Behind = {}) {
    this.place = new FakePlace(changes, {}, repository);
    this.client = this.place.client;
    const { root } = this.client.repository;
    this.repository = {
      root,
      commonDir: `${root}/.git`,
      hasCommits: true,
      headBranch: 'main',
      headCommit: 'a'.repeat(40),
      dirty: 0,
    };
    const { client, place } = this;
    const store = partly<Store>('store', {
      verify: () => Promise.resolve({ ok: true, length: this.journal.length }),
      journal: () => Promise.resolve(this.journal),
      inbox: () => Promise.resolve(this.inbox),
      ticket: () => Promise.resolve(place.detail.ticket),
      openRun: () => Promise.resolve(undefined),
    });
    this.ports = partly<Ports>('port', {
      store,
      clock: new FakeClock(),
      git: gitOf(),
      prompts: promptsOf(),
      forges: noForge,
      ...ports,
    });
    const nothing = { dispose: () => undefined };
    this.engine = drives
      ? partly<Engine>('engine', {
          onDidBecomeIdle: () => nothing,
          idleState: () => ({ state: 'waiting', kinds: [], until: undefined }),
        })
      : undefined;
    client.ticket = (id) =>
      id === place.ticket
        ? Promise.resolve(place.detail)
        : Promise.reject(new BeadsmithError('TICKET_UNKNOWN', { ticket: id }));
    client.create = (input) => {
      this.created.push(input);
      const { title, description = '', priority = 3 } = input;
      place.detail = ticketDetail({
        ticket: {
          title,
          description,
          priority,
          status: 'DRAFT',
          settings: null,
          limits: null,
          startedAt: null,
        },
      });
      return Promise.resolve(place.detail.ticket);
    };
    // As the real one, it takes no body of another kind.
    const send = client.act;
    client.act = async (ticket, kind, body) => {
      inboxBodies[kind].parse(body);
      return send(ticket, kind, body);
    };
  }

  start(wanted: 'all' | readonly string[]): Promise<void> {
    this.started.push(wanted);
    return Promise.resolve();
  }

  failure(): undefined {
    return undefined;
  }

  lost(): undefined {
    return undefined;
  }

  onDidChangeState(): { dispose(): void } {
    return { dispose: () => undefined };
  }

  driverIsGone(): Promise<boolean> {
    return Promise.resolve(false);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    this.disposed += 1;
    return Promise.resolve();
  }
}

/** Says so when another part is asked for. */
export function partly<T extends object>(what: string, parts: Partial<T>): T {
  return new Proxy(parts, {
    get: (target, name) => {
      if (name in target) return target[name as keyof T];
      throw new Error(`This test has no ${what} ${String(name)}`);
    },
  }) as T;
}

/** On the branch `main`, or on none. */
export function gitOf({
  hasCommits = true,
  current = 'main',
  bases = hasCommits ? { main: {} } : {},
}: {
  readonly hasCommits?: boolean;
  readonly current?: string | null;
  readonly bases?: Readonly<Record<string, Partial<BaseBranch>>>;
} = {}): Git {
  const [root, headCommit] = ['/sample', 'a'.repeat(40)];
  return partly<Git>('git', {
    ignored: () => Promise.resolve([]),
    repository: () =>
      Promise.resolve({
        root,
        commonDir: `${root}/.git`,
        hasCommits,
        headBranch: current,
        headCommit,
        dirty: 0,
      }),
    branches: () => Promise.resolve(Object.keys(bases)),
    worktreePath: (ticket) => Promise.resolve(`${root}.worktrees/${ticket}`),
    defaultBranch: () => Promise.resolve(current ?? undefined),
    base: (name) => {
      const found = bases[name];
      return Promise.resolve(
        found && { branch: name, commit: headCommit, side: 'local', ahead: 0, behind: 0, ...found },
      );
    },
  });
}

/** With these files of the person's own. */
export function promptsOf(
  overrides: readonly PromptOverride[] = [],
  personas: Awaited<ReturnType<PromptSource['personas']>> = [],
): PromptSource {
  return partly<PromptSource>('prompts', {
    overrides: () => Promise.resolve(overrides),
    personas: () => Promise.resolve(personas),
  });
}

export function agentOf(...models: readonly string[]): Agent {
  return partly<Agent>('agent', { models: () => Promise.resolve(models) });
}
