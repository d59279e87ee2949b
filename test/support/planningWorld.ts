import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Limits, Settings } from '../../src/domain/settings.ts';
import type { RunEntry, Ticket, TicketSnapshot } from '../../src/domain/ticket.ts';
import type { Status } from '../../src/domain/workflow/workflow.ts';
import type { InboxBody, InboxKind } from '../../src/domain/inbox.ts';
import type { Git, Ports, TicketFiles } from '../../src/engine/ports/ports.ts';
import type { HandlerDefinition, HandlerResult } from '../../src/engine/run/run.ts';
import { RunControl } from '../../src/engine/run/runScope.ts';
import { FakeAgent, type FakeAnswer, type FakeCall } from './fakeAgent.ts';
import { FakeClock } from './fakeClock.ts';
import { FakeJournal, FakeRun, Killed, Parked } from './fakeRun.ts';
import { FakeStore } from './fakeStore.ts';

type AnswerBy = FakeAnswer | ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>);

/** One ticket in a planning status, with everything in memory: handlers run on the fake run, prompts are the real files. */
export class PlanningWorld {
  readonly store: FakeStore;
  readonly agent = new FakeAgent();
  readonly files = new MemoryFiles();
  readonly git = new MemoryGit();
  readonly clock = new FakeClock();
  readonly activity: string[] = [];
  limits: Partial<Limits> = {};
  killAt: string | undefined;
  limitAt: string | undefined;
  /** Stop it to cut the running step off; a new one is needed to go on. */
  control = new RunControl();
  journal = new FakeJournal();
  entry: RunEntry = { by: 'ready', body: null };
  #posts = 0;

  constructor(settings: Partial<Settings> = {}) {
    this.store = new FakeStore(testTicket(settings));
  }

  get ports(): Ports & { readonly store: FakeStore } {
    const known: Partial<Ports> = {
      agent: this.agent,
      files: this.files,
      git: this.git as unknown as Git,
      clock: this.clock,
      tokens: { count: async (text) => Math.ceil(text.length / 4) },
      prompts: { read: async (name) => readPrompt(name) },
      events: {
        emit: (event) => {
          if (event.type === 'activity') this.activity.push(`${event.source}: ${event.text}`);
        },
      },
    };
    return { ...known, store: this.store } as Ports & { readonly store: FakeStore };
  }

  get snapshot(): TicketSnapshot {
    return { ...this.store.ticketRow, attempt: 1, entry: this.entry, artifacts: {} };
  }

  /** Moves to another status: a new run begins. */
  enter(status: Status, entry: RunEntry = { by: 'ready', body: null }): this {
    this.store.ticketRow = { ...this.store.ticketRow, previousStatus: this.store.ticketRow.status, status };
    this.entry = entry;
    this.journal = new FakeJournal(`run-${status}-${String(this.store.artifactRows.length)}`);
    return this;
  }

  run(): FakeRun {
    const run = new FakeRun(this.journal, this.ports, this.limits);
    run.killAt = this.killAt;
    run.limitAt = this.limitAt;
    run.control = this.control;
    return run;
  }

  /** Executes a handler once from its start: to its exit, to the kinds it waits for, or to where it was killed. */
  async drive<E extends string>(
    handler: HandlerDefinition<E>,
  ): Promise<HandlerResult<E> | { readonly waits: readonly string[] } | 'killed'> {
    try {
      const result = await handler.run(this.run(), this.snapshot);
      this.store.apply(result.changes ?? []);
      return result;
    } catch (error) {
      if (error instanceof Parked) return { waits: error.kinds };
      if (error instanceof Killed) return 'killed';
      throw error;
    }
  }

  post<K extends InboxKind>(kind: K, body: InboxBody<K>): string {
    const id = `post-${String(++this.#posts)}`;
    this.store.inboxRows.push({ id, ticket: this.store.ticketRow.id, kind, body, postedAt: 0, state: 'pending', outcome: null });
    return id;
  }

  /** What became of a post: its refusal's code, else its state. */
  outcome(id: string): string | undefined {
    const entry = this.store.inboxRows.find((row) => row.id === id);
    return entry?.outcome?.code ?? entry?.state;
  }

  answers(by: Readonly<Record<string, AnswerBy>>): void {
    this.agent.answer = (call) => {
      const answer = by[call.task];
      if (answer === undefined) throw new Error(`Nobody expected the task ${call.task}`);
      return typeof answer === 'function' ? answer(call) : answer;
    };
  }
}

function testTicket(settings: Partial<Settings> = {}): Ticket {
  return {
    id: 'TST-1',
    title: 'Greet people',
    description: 'By name.',
    priority: 3,
    status: 'SCANNING_RELEVANT_FILES',
    previousStatus: null,
    revision: 1,
    attempts: {},
    settings: Settings.parse({ mainImplementer: 'demo/main', councilMembers: ['demo/second'], ...settings }),
    limits: Limits.parse({}),
    baseBranch: 'main',
    baseCommit: 'a'.repeat(40),
    branch: 'ticket/TST-1',
    worktree: '/repo.worktrees/TST-1',
    entry: { by: 'ready', body: null },
    hold: null,
    error: null,
    createdAt: 0,
    updatedAt: 0,
    startedAt: 0,
  };
}

/** Files of a worktree in memory. */
class MemoryFiles implements TicketFiles {
  readonly written = new Map<string, string>();
  readonly there = new Set<string>();
  rules: readonly string[] = [];

  async write(_worktree: string, path: string, content: string): Promise<void> {
    this.written.set(path, content);
  }
  async append(): Promise<void> {}
  async read(): Promise<string | undefined> {
    return undefined;
  }
  async remove(): Promise<void> {}
  async exists(_worktree: string, path: string): Promise<boolean> {
    return this.there.has(path);
  }
  async rulesFiles(): Promise<readonly string[]> {
    return this.rules;
  }
}

/** As much of git as a start needs. */
class MemoryGit implements Pick<Git, 'repository' | 'branches' | 'defaultBranch' | 'resolve' | 'addWorktree'> {
  readonly refs = new Map([['refs/heads/main', 'a'.repeat(40)]]);
  hasCommits = true;
  readonly added: { ticket: string; branch: string; commit: string }[] = [];

  async repository(): Promise<Awaited<ReturnType<Git['repository']>>> {
    return { root: '/repo', commonDir: '/repo/.git', hasCommits: this.hasCommits, headBranch: 'main', headCommit: null, dirty: 0 };
  }
  async branches(): Promise<readonly string[]> {
    return ['main'];
  }
  async defaultBranch(): Promise<string> {
    return 'main';
  }
  async resolve(revision: string): Promise<string | undefined> {
    return this.refs.get(revision);
  }
  async addWorktree(options: { ticket: string; branch: string; commit: string }): Promise<{ path: string }> {
    this.added.push(options);
    return { path: `/repo.worktrees/${options.ticket}` };
  }
}

function readPrompt(name: string): string {
  const path = join(import.meta.dirname, `../../prompts/${name}.md`);
  if (!existsSync(path)) throw new Error(`There is no prompt ${name}`);
  return readFileSync(path, 'utf8');
}
