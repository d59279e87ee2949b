import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import { SecretlintScanner } from '../../../src/adapters/secrets/secretlintScanner.ts';
import { InstallationKey } from '../../../src/adapters/keys/installationKey.ts';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import type { IssueOrigin } from '../../../src/domain/forge/issue.ts';
import type { Bead } from '../../../src/domain/beads/bead.ts';
import { BeadRecords, beadRecordsDocument } from '../../../src/domain/documents/beadRecords.ts';
import { readText } from '../../../src/domain/documents/base/text.ts';
import type { BeadRecord } from '../../../src/domain/records/records.ts';
import { withInverseEdges } from '../../../src/domain/beads/beadPlan.ts';
import { requestLine } from '../../../src/domain/ticket/agentRequest.ts';
import type { GithubSettings } from '../../../src/domain/settings/rows/planning.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { ticketBranch } from '../../../src/domain/core/ids.ts';
import type { InboxBody, InboxKind } from '../../../src/domain/ticket/inbox.ts';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { RunEntry, Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { Status } from '../../../src/domain/workflow/workflow.ts';
import type { HandlerName } from '../../../src/domain/workflow/rows.ts';
import type { CommandRunner, Forge, Forges, Git, Ports } from '../../../src/engine/ports/ports.ts';
import type { HandlerDefinition } from '../../../src/engine/run/run.ts';
import { type Behaviour, Runner, type IdleState } from '../../../src/engine/drive/runner.ts';
import type { Store } from '../../../src/engine/ports/storePort.ts';
import { stageMachine } from '../../../src/phases/coding/coding.ts';
import { behaviour } from '../../../src/phases/index.ts';
import { behaviourOf, stay } from './engineWorld.ts';
import { FakeAgent, type FakeAnswer, type FakeCall } from '../models/fakeAgent.ts';
import { FakeClock } from '../fakes/fakeClock.ts';
import { FakeWorkplace } from '../fakes/fakeWorkplace.ts';
import { until } from '../until.ts';
import { PlainFiles, PlainShell } from './plainShell.ts';
import { tempRepository, type TempRepository } from '../git/tempRepository.ts';
import { ticketWorktree } from '../git/ticketWorktree.ts';
import { tempStore, type TempStore } from './tempStore.ts';
import { noForge } from '../fakes/noForge.ts';
import { readsAtOnce } from '../fakes/readsAtOnce.ts';
import { newTicket, sampleBead, sampleProfile } from '../samples.ts';

/**
 * A ticket in its execution: real git, SQLite, engine and commands around one handler. Every other status
 * parks.
 */
export class ExecutionWorld {
  readonly repository: TempRepository;
  git: Git;
  readonly agent = new FakeAgent(() => 'nothing to say');
  readonly shell = new PlainShell();
  /** A plain shell, unless a test is about the product's own. */
  runner: CommandRunner = this.shell;
  readonly workplace: FakeWorkplace;
  readonly signer: InstallationKey;
  readonly files = new PlainFiles();
  readonly forge = new MemoryForge();
  forges: Forges = noForge;
  /** Of the ticket that begins. */
  origin: IssueOrigin | undefined;
  /** The person's setting. */
  failedChecks: GithubSettings['failedChecks'] = 'ask';
  issueComments: GithubSettings['issueComments'] = 'off';
  readonly clock = new FakeClock();
  readonly prompts = new PromptFiles(join(import.meta.dirname, '../../../prompts'));
  readonly events: TicketEvent[] = [];
  ticket = '';
  worktree = '';
  start = '';
  readonly #temp: TempStore;
  #posts = 0;

  /** `store`: a folder that may hold the database of an earlier world. */
  constructor(repository: TempRepository, { store }: { readonly store?: string } = {}) {
    this.repository = repository;
    this.git = new GitAdapter({ folder: repository.root });
    this.workplace = new FakeWorkplace(repository.root);
    this.signer = new InstallationKey(join(repository.root, '..', 'config'));
    this.#temp = tempStore({ now: () => this.clock.now(), ...(store !== undefined && { folder: store }) });
    this.store = this.#temp.store;
  }

  store: Store;

  get ports(): Ports {
    return {
      store: this.store,
      agent: this.agent,
      git: this.git,
      process: this.runner,
      workplace: this.workplace,
      files: this.files,
      signer: this.signer,
      forge: this.forge,
      forges: this.forges,
      github: () => ({
        watch: true,
        failedChecks: this.failedChecks,
        issueComments: this.issueComments,
      }),
      secrets: new SecretlintScanner(),
      tokens: { count: async (text) => Math.ceil(text.length / 4) },
      texts: readsAtOnce,
      clock: this.clock,
      prompts: this.prompts,
      events: { emit: (event) => this.events.push(event) },
    };
  }

  async begin(status: Status, options: Beginning = {}): Promise<void> {
    const { id } = await this.store.createTicket({
      ...newTicket,
      title: 'Greet people',
      ...(this.origin && { origin: this.origin }),
    });
    this.ticket = id;
    this.start = (await this.git.resolve('main')) ?? '';
    const branch = ticketBranch(id);
    this.worktree = await ticketWorktree(this.repository, this.git, id, this.start);
    const settings = Settings.parse({
      depth: 'solo',
      mainImplementer: 'demo/main',
      review: 'off',
      ...options.settings,
    });
    const limits = Limits.parse({ maxIterations: 2, maxContinuations: 1, ...options.limits });
    const place = { baseBranch: 'main', baseCommit: this.start, branch, worktree: this.worktree };
    const beads = withInverseEdges(
      (options.beads ?? (status === 'CODING' ? [{}] : [])).map((bead, index) =>
        testBead({ priority: index + 1, ...bead }),
      ),
    );
    await this.store.commit({
      ticket: id,
      journal: [{ kind: 'status', from: 'DRAFT', to: status, by: 'test' }],
      changes: [
        { type: 'ticket', set: { status, settings, limits, ...place, entry: { by: 'ready', body: null } } },
        { type: 'beads', beads },
      ],
    });
  }

  /** Every bead is done: two of them committed. */
  async beginIntegration(settings: Partial<Settings> = {}): Promise<void> {
    await this.begin('INTEGRATING_CHANGES', {
      settings,
      beads: [{ status: 'done', title: 'Greet | by name' }],
    });
    for (const [index, path] of ['greet.txt', 'more.txt'].entries()) {
      this.write(path, `line ${String(index)}\n`);
      await this.git.commit(this.worktree, {
        message: `bead(${path}): work`,
        trailers: { Bead: path },
        paths: [path],
      });
    }
  }

  /** The names of what an earlier world began and posted. */
  get names(): WorldNames {
    return { ticket: this.ticket, worktree: this.worktree, start: this.start, posts: this.#posts };
  }

  continues({ posts, ...names }: WorldNames): void {
    Object.assign(this, names);
    this.#posts = posts;
  }

  get stateFolder(): string {
    return this.#temp.folder;
  }

  /** `to`: fails unless it leads there. */
  async drive(handlers: Handlers, to?: Status): Promise<IdleState> {
    const end = await new Runner(this.ports, this.#behaviour(handlers), this.ticket).run();
    if (to !== undefined) await this.isIn(to);
    return end;
  }

  /** A call of `crash` on the way kills the process. */
  async driveUntilKilled(handlers: Handlers): Promise<void> {
    const code = await this.drive(handlers).then(
      () => 'none',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    if (code !== 'EPOCH_LOST') throw new Error(`The drive should have been killed, but: ${String(code)}`);
  }

  /** The running drive can write no more; the next one sees only the database. */
  crash(): void {
    this.store = this.#temp.reopen();
  }

  async enter(status: Status, entry: RunEntry): Promise<void> {
    const { status: from } = await this.read();
    await this.store.commit({
      ticket: this.ticket,
      journal: from === status ? [] : [{ kind: 'status', from, to: status, by: entry.by }],
      changes: [{ type: 'ticket', set: { status, entry } }],
    });
  }

  async post<K extends InboxKind>(kind: K, body: InboxBody<K>): Promise<string> {
    const id = `post-${String(++this.#posts)}`;
    await this.store.post({ id, ticket: this.ticket, kind, body });
    return id;
  }

  async outcome(id: string): Promise<string | undefined> {
    const entry = (await this.store.inbox(this.ticket)).find((candidate) => candidate.id === id);
    return entry?.outcome?.code ?? entry?.state;
  }

  async said(id: string): Promise<string> {
    return (await this.store.inbox(this.ticket)).find((entry) => entry.id === id)?.outcome?.message ?? '';
  }

  async read(): Promise<Ticket> {
    const found = await this.store.ticket(this.ticket);
    if (!found) throw new Error('The ticket is gone');
    return found;
  }

  /** As soon as there is one. */
  async request(): Promise<{ readonly id: string; readonly text: string }> {
    return until(
      async () => {
        const pending = (await this.read()).hold?.request;
        return pending && { id: pending.id, text: requestLine(pending.content) };
      },
      'a request holds the ticket',
      60_000,
    );
  }

  async bead(id: string): Promise<Bead> {
    const found = (await this.store.beads(this.ticket)).find((bead) => bead.id === id);
    if (!found) throw new Error(`No bead ${id}`);
    return found;
  }

  async set(bead: string, set: Partial<Bead>): Promise<void> {
    await this.store.commit({ ticket: this.ticket, journal: [], changes: [{ type: 'bead', id: bead, set }] });
  }

  async json(artifact: Parameters<Store['artifact']>[1]): Promise<Record<string, unknown> | undefined> {
    const stored = await this.store.artifact(this.ticket, artifact);
    return stored && (JSON.parse(stored.content) as Record<string, unknown>);
  }

  /** The profile of an environment that needed no preparation. */
  async prepared(fields: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.put('execution_setup_profile', sampleProfile({ ticket_id: this.ticket, ...fields }));
  }

  async put(
    artifact: Parameters<Store['artifact']>[1],
    content: unknown,
    status: Status = 'PRE_FLIGHT_CHECK',
  ): Promise<string> {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const change = { type: 'artifact', artifact, content: text, status, attempt: 1 } as const;
    await this.store.commit({ ticket: this.ticket, journal: [], changes: [change] });
    return (await this.store.artifact(this.ticket, artifact))?.info.sha256 ?? '';
  }

  /** Newest first. */
  async subjects(): Promise<string[]> {
    return (await this.git.commits(this.worktree, this.start, 'HEAD')).map(({ subject }) => subject);
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.worktree, path), content);
  }

  readWorktree(path: string): string {
    return readFileSync(join(this.worktree, path), 'utf8');
  }

  /** By task; a function may write files first. Other tasks get plain text. */
  answers(
    by: Readonly<Record<string, FakeAnswer | ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>)>>,
  ): void {
    this.agent.answer = (call) => {
      const answer = by[call.task];
      return typeof answer === 'function' ? answer(call) : (answer ?? 'nothing to say');
    };
  }

  /** Of the beads, oldest first. */
  async records(
    kind?: BeadRecord['kind'],
  ): Promise<readonly (BeadRecord & { payload: Record<string, unknown> })[]> {
    const stored = (await this.store.artifact(this.ticket, beadRecordsDocument.kind))?.content ?? '';
    const read = readText('jsonl', stored);
    const records = BeadRecords.parse(read.ok ? read.value : undefined);
    return records.filter(
      (record): record is BeadRecord & { payload: Record<string, unknown> } =>
        kind === undefined || record.kind === kind,
    );
  }

  callsOf(task: string): readonly FakeCall[] {
    return this.agent.calls.filter((call) => call.task === task);
  }

  /** An answer that writes these files and says that the bead is done. */
  writing(files: Readonly<Record<string, string>>, bead = 'greet'): () => FakeAnswer {
    return () => {
      for (const [path, content] of Object.entries(files)) this.write(path, content);
      return report(bead);
    };
  }

  answersGreeting(): void {
    this.answers({ coding: this.writing({ 'greet.txt': 'hello\n' }) });
  }

  /** Fails with the ticket's error unless it is in this status. */
  async isIn(status: Status): Promise<void> {
    const found = await this.read();
    assert.equal(found.status, status, JSON.stringify(found.error));
  }

  async remove(): Promise<void> {
    await this.#temp.remove();
    await this.repository.remove();
  }

  #behaviour(handlers: Handlers): Behaviour {
    const parked = Object.fromEntries(Object.keys(behaviourOf({}).handlers).map((name) => [name, stay]));
    return {
      ...behaviourOf({ ...parked, ...handlers }, { stages: stageMachine, rewind: behaviour.changes.rewind }),
      prepared: behaviour.prepared,
    };
  }
}

type Handlers = { readonly [H in HandlerName]?: HandlerDefinition<string> };

/** `beads`: by default one in coding. */
interface Beginning {
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  readonly beads?: readonly Partial<Bead>[];
}

export interface WorldNames {
  readonly ticket: string;
  readonly worktree: string;
  readonly start: string;
  readonly posts: number;
}

class MemoryForge implements Forge {
  readonly name = 'memory';
  readonly published: Parameters<Forge['publish']>[0][] = [];

  async publish(pullRequest: Parameters<Forge['publish']>[0]): Promise<{ readonly location: string }> {
    this.published.push(pullRequest);
    return { location: `memory/${pullRequest.ticket}` };
  }

  async find(ticket: string): Promise<{ readonly location: string; readonly commit: string } | undefined> {
    const found = this.published.findLast((item) => item.ticket === ticket);
    return found && { location: `memory/${ticket}`, commit: found.commit };
  }
}

export const sampleFiles = { 'README.md': '# Sample\n', '.gitignore': '*.ignored\n' } as const;

type Files = Readonly<Record<string, string>>;

/** `in`: its ticket begins in this status. */
export interface NewWorld {
  (files?: Files): Promise<ExecutionWorld>;
  in(status: Status, options?: Beginning & { readonly files?: Files }): Promise<ExecutionWorld>;
}

/** Called inside `describe`; worlds are removed after each test. */
export function executionWorlds(): NewWorld {
  const made: ExecutionWorld[] = [];
  afterEach(() => Promise.all(made.splice(0).map((world) => world.remove())));
  const make = async (files: Files = {}): Promise<ExecutionWorld> => {
    const world = new ExecutionWorld(await tempRepository({ files: { ...sampleFiles, ...files } }));
    made.push(world);
    return world;
  };
  const begun: NewWorld['in'] = async (status, { files, ...options } = {}) => {
    const world = await make(files);
    await world.begin(status, options);
    return world;
  };
  return Object.assign(make, { in: begun });
}

export function testBead(fields: Partial<Bead> = {}): Bead {
  return sampleBead({
    title: 'Greet by name',
    description: 'Write greet.txt.',
    acceptanceCriteria: ['greet.txt says hello'],
    testCommands: ['grep -q hello greet.txt'],
    externalRef: 'TST-1',
    targetFiles: ['greet.txt'],
    ...fields,
  });
}

export const pullRequestDraft =
  'title: "Greet people"\nsummary: ["People are greeted.\u0007"]\nvalidation: ["It was run."]\n';

/** Ready if there is no step. */
export function testSetupPlan(steps: readonly string[] = []): Record<string, unknown> {
  return {
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'execution_setup_plan',
    status: 'draft',
    summary: 'A plan',
    readiness: { status: steps.length > 0 ? 'partial' : 'ready', actions_required: steps.length > 0 },
    steps: steps.map((command) => ({ commands: [command] })),
  };
}

/** The answer of who plans a fix bead, which `greet.txt` proves when it says HELLO. */
export function fixBead(id = 'fix-loud', blockedBy = ''): string {
  return [
    'beads:',
    `  - id: ${id}`,
    '    title: Say it louder',
    '    description: Finding',
    '    acceptanceCriteria: [loud]',
    '    testCommands: ["grep -q HELLO greet.txt"]',
    '    issueType: qa-fix',
    '    labels: [qa-fix]',
    `    dependencies: { blocked_by: [${blockedBy}] }`,
    '    targetFiles: [greet.txt]',
  ].join('\n');
}

/** The limits of a bead whose first answer counts. */
export const oneTry = { maxIterations: 0, maxContinuations: 0 } as const;

/** How a coding session ends. */
export function report(
  bead: string,
  options: {
    readonly status?: 'done' | 'error';
    readonly tests?: 'pass' | 'fail';
    readonly acknowledged?: readonly string[];
  } = {},
): string {
  const { status = 'done', tests = 'pass', acknowledged = [] } = options;
  return [
    '<DEV_RECORD>',
    `summary: "Worked on ${bead}."`,
    ...(acknowledged.length === 0 ? [] : [`context_acknowledged: ${JSON.stringify(acknowledged)}`]),
    '</DEV_RECORD>',
    '<BEAD_STATUS>',
    `bead_id: ${bead}`,
    `status: ${status}`,
    `checks: { tests: ${tests}, lint: pass, typecheck: pass, qualitative: pass }`,
    '</BEAD_STATUS>',
  ].join('\n');
}
