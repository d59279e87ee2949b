import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactInfo, ArtifactType } from '../../../src/domain/ticket/artifacts.ts';
import type { Bead } from '../../../src/domain/beads/bead.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { InboxBody, InboxEntry, InboxKind } from '../../../src/domain/ticket/inbox.ts';
import type { IssueOrigin } from '../../../src/domain/forge/issue.ts';
import { GithubSettings } from '../../../src/domain/settings/rows/planning.ts';
import { Limits, Settings } from '../../../src/domain/settings/settings.ts';
import type { RunEntry, Ticket } from '../../../src/domain/ticket/ticket.ts';
import { rowOf, type Status } from '../../../src/domain/workflow/workflow.ts';
import { Runner } from '../../../src/engine/drive/runner.ts';
import type {
  Forges,
  Git,
  Ports,
  PromptSource,
  SecretScanner,
  TicketFiles,
} from '../../../src/engine/ports/ports.ts';
import type { Change, Store, Transaction } from '../../../src/engine/ports/storePort.ts';
import type { HandlerResult } from '../../../src/engine/journal/transition.ts';
import type { HandlerDefinition } from '../../../src/engine/run/run.ts';
import { RunStopped } from '../../../src/engine/run/runScope.ts';
import { behaviour } from '../../../src/phases/index.ts';
import { behaviourOf, stay } from './engineWorld.ts';
import { FakeAgent, type FakeAnswer, type FakeCall } from '../models/fakeAgent.ts';
import { FakeClock } from '../fakes/fakeClock.ts';
import { shippedPersonas } from '../models/shippedPersonas.ts';
import { FakeWorkplace } from '../fakes/fakeWorkplace.ts';
import { tempStore, type TempStore } from './tempStore.ts';
import { noForge } from '../fakes/noForge.ts';
import { readsAtOnce } from '../fakes/readsAtOnce.ts';
import { newTicket } from '../samples.ts';

type AnswerBy = FakeAnswer | ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>);
type Outcome<E extends string> = HandlerResult<E> | { readonly waits: readonly string[] } | 'killed';

const id = 'TST-1';
/** Never replays what a handler under test did in the same status. */
const parked: HandlerDefinition<string> = { ...stay, version: 0 };

/**
 * A ticket in a status whose work needs no repository: real engine, SQLite and prompts around one handler.
 * Model, clock, files and git are made up. Every other status parks.
 */
export class PhaseWorld {
  readonly agent = new FakeAgent();
  readonly files = new MemoryFiles();
  readonly git = new MemoryGit();
  readonly workplace = new FakeWorkplace();
  readonly clock = new FakeClock();
  readonly activity: string[] = [];
  forges: Forges = noForge;
  github: GithubSettings = GithubSettings.parse({});
  /** Of the ticket that begins. */
  origin: IssueOrigin | undefined;
  secrets: SecretScanner = { scan: async () => [] };
  prompts: PromptSource = {
    read: async (name) => ({ text: readPrompt(name) }),
    overrides: async () => [],
    personas: () => shippedPersonas(),
  };
  /** Killed once, right before the receipt of this step, or of the handler's `exit`. */
  killAt: string | undefined;
  readonly #temp: TempStore;
  #posts = 0;

  constructor() {
    this.#temp = tempStore({ now: () => this.clock.now() });
    this.store = this.#temp.store;
  }

  store: Store;

  get ports(): Ports {
    const known: Partial<Ports> = {
      agent: this.agent,
      files: this.files,
      git: this.git as unknown as Git,
      forges: this.forges,
      github: () => this.github,
      workplace: this.workplace,
      clock: this.clock,
      secrets: this.secrets,
      signer: { sign: () => Promise.resolve(undefined) },
      tokens: { count: async (text) => Math.ceil(text.length / 4) },
      texts: readsAtOnce,
      prompts: this.prompts,
      events: {
        emit: (event) => {
          if (event.type === 'activity') this.activity.push(`${event.source}: ${event.text}`);
        },
      },
    };
    return { ...known, store: this.#killable(this.store) } as Ports;
  }

  /** Started, unless `settings` is null. */
  async begin(status: Status, settings: Partial<Settings> | null): Promise<void> {
    await this.store.createTicket({
      ...newTicket,
      title: 'Greet people',
      description: 'By name.',
      ...(this.origin && { origin: this.origin }),
    });
    if (settings === null) return;
    const whole = Settings.parse({
      mainImplementer: 'demo/main',
      councilMembers: ['demo/second'],
      review: 'off',
      ...settings,
    });
    const place = {
      baseBranch: 'main',
      baseCommit: 'a'.repeat(40),
      branch: `ticket/${id}`,
      worktree: `/repo.worktrees/${id}`,
    };
    await this.change({
      type: 'ticket',
      set: { settings: whole, limits: Limits.parse({ providerWait: 0 }), ...place },
    });
    await this.enter(status);
  }

  /** A new run begins there. */
  async enter(status: Status, entry: RunEntry = { by: 'ready', body: null }): Promise<void> {
    const { status: from } = await this.ticket();
    const open = await this.store.openRun(id, status);
    await this.store.commit({
      ticket: id,
      journal: [
        ...(open ? [{ kind: 'run.closed', run: open.id, state: 'archived', exit: null } as const] : []),
        ...(from === status ? [] : [{ kind: 'status', from, to: status, by: entry.by } as const]),
      ],
      changes: [{ type: 'ticket', set: { status, previousStatus: from, entry, error: null, hold: null } }],
    });
  }

  /**
   * To the handler's exit, to what it waits for, or to where it is killed. Throws what the handler failed
   * with.
   */
  async drive<E extends string>(handler: HandlerDefinition<E>): Promise<Outcome<E>> {
    let ended: HandlerResult<E> | undefined;
    let failure: unknown;
    const watched: HandlerDefinition<string> = {
      version: handler.version,
      run: async (run, ticket) => {
        if (ended) return parked.run(run, ticket);
        failure = undefined;
        try {
          ended = await handler.run(run, ticket);
          return ended;
        } catch (error) {
          failure = error;
          throw error;
        }
      },
    };
    const { status, previousStatus } = await this.ticket();
    const name = rowOf(status === 'BLOCKED_ERROR' ? (previousStatus ?? 'DRAFT') : status).handler;
    const others = Object.fromEntries(Object.keys(behaviour.handlers).map((other) => [other, parked]));
    try {
      await new Runner(
        this.ports,
        { ...behaviour, ...behaviourOf({ ...others, [name]: watched }) },
        id,
      ).run();
    } catch (error) {
      if (error instanceof BeadsmithError && error.code === 'EPOCH_LOST') return 'killed';
      throw error;
    }
    if (ended) return ended;
    if (failure instanceof RunStopped && failure.waitsFor) return { waits: failure.waitsFor.kinds };
    throw failure;
  }

  /** The running drive can write no more; the next one sees only the database. */
  crash(): void {
    this.store = this.#temp.reopen();
  }

  async ticket(): Promise<Ticket> {
    const ticket = await this.store.ticket(id);
    if (!ticket) throw new Error('The ticket is gone');
    return ticket;
  }

  async post<K extends InboxKind>(kind: K, body: InboxBody<K>): Promise<string> {
    const post = `post-${String(++this.#posts)}`;
    await this.store.post({ id: post, ticket: id, kind, body });
    return post;
  }

  async entry(post: string): Promise<InboxEntry | undefined> {
    return (await this.store.inbox(id)).find((row) => row.id === post);
  }

  /** The code of a refusal, else the state. */
  outcomes(...posts: readonly string[]): Promise<(string | undefined)[]> {
    return Promise.all(
      posts.map(async (post) => {
        const entry = await this.entry(post);
        return entry?.outcome?.code ?? entry?.state;
      }),
    );
  }

  async change(...changes: readonly Change[]): Promise<void> {
    await this.store.commit({ ticket: id, journal: [], changes });
  }

  async put(artifact: ArtifactType, content: string, status: Status = 'DRAFT'): Promise<void> {
    await this.change({ type: 'artifact', artifact, content, status, attempt: 1 });
  }

  async artifact(
    type: ArtifactType,
  ): Promise<{ readonly info: ArtifactInfo; readonly content: string } | undefined> {
    return this.store.artifact(id, type);
  }

  /** Fails when there is none. */
  async content(type: ArtifactType): Promise<string> {
    const found = await this.artifact(type);
    if (!found) throw new Error(`There is no artifact ${type}`);
    return found.content;
  }

  async versions(): Promise<number> {
    return (await this.store.artifacts(id)).length;
  }

  async json(type: ArtifactType): Promise<Record<string, unknown> | undefined> {
    const found = await this.artifact(type);
    return found && (JSON.parse(found.content) as Record<string, unknown>);
  }

  beads(): Promise<readonly Bead[]> {
    return this.store.beads(id);
  }

  answers(by: Readonly<Record<string, AnswerBy>>): void {
    this.agent.answer = (call) => {
      const answer = by[call.task];
      if (answer === undefined) throw new Error(`Nobody expected the task ${call.task}`);
      return typeof answer === 'function' ? answer(call) : answer;
    };
  }

  remove(): Promise<void> {
    return this.#temp.remove();
  }

  #killable(store: Store): Store {
    const commit: Store['commit'] = (transaction) => {
      if (this.killAt !== undefined && marks(transaction, this.killAt)) {
        this.killAt = undefined;
        this.crash();
      }
      return store.commit(transaction);
    };
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'commit') return commit;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

/** Called inside `describe`; worlds are removed after each test. `settings`: null for a draft. */
export function phaseWorlds(): (
  status: Status,
  settings?: Partial<Settings> | null,
  origin?: IssueOrigin,
) => Promise<PhaseWorld> {
  const made: PhaseWorld[] = [];
  afterEach(() => Promise.all(made.splice(0).map((world) => world.remove())));
  return async (status, settings = {}, origin) => {
    const world = new PhaseWorld();
    world.origin = origin;
    made.push(world);
    await world.begin(status, settings);
    return world;
  };
}

function marks({ journal }: Transaction, key: string): boolean {
  return journal.some((entry) =>
    key === 'exit' ? entry.kind === 'run.closed' : entry.kind === 'step.done' && entry.key === key,
  );
}

class MemoryFiles implements TicketFiles {
  readonly written = new Map<string, string>();
  readonly there = new Set<string>();

  async write(_worktree: string, path: string, content: string): Promise<void> {
    this.written.set(path, content);
  }
  async append(): Promise<void> {}
  async read(_worktree: string, path: string): Promise<string | undefined> {
    return this.written.get(path);
  }
  async remove(_worktree: string, path: string): Promise<void> {
    this.there.delete(path);
  }
  async exists(_worktree: string, path: string): Promise<boolean> {
    return this.there.has(path);
  }
}

class MemoryGit implements Pick<
  Git,
  | 'repository'
  | 'branches'
  | 'defaultBranch'
  | 'base'
  | 'resolve'
  | 'worktreePath'
  | 'addWorktree'
  | 'mergeBase'
  | 'merge'
  | 'proposeMerge'
  | 'removeScratch'
  | 'detach'
  | 'ignored'
  | 'filesNaming'
  | 'hooks'
  | 'blobs'
  | 'regularFiles'
  | 'subjects'
  | 'blob'
  | 'head'
  | 'traits'
  | 'trySigning'
> {
  readonly refs = new Map([['refs/heads/main', 'a'.repeat(40)]]);
  hasCommits = true;
  readonly merged: string[] = [];
  readonly said: string[] = [];
  readonly files = new Map<string, string>();
  refusal: Error | undefined;
  readonly added: { ticket: string; branch: string; commit: string }[] = [];

  async repository(): Promise<Awaited<ReturnType<Git['repository']>>> {
    return {
      root: '/repo',
      commonDir: '/repo/.git',
      hasCommits: this.hasCommits,
      headBranch: 'main',
      headCommit: null,
      dirty: 0,
    };
  }
  async branches(): Promise<readonly string[]> {
    return ['main'];
  }
  async defaultBranch(): Promise<string> {
    return 'main';
  }
  async base(name: string): Promise<Awaited<ReturnType<Git['base']>>> {
    const local = this.refs.get(`refs/heads/${name}`);
    const commit = local ?? this.refs.get(`refs/remotes/origin/${name}`);
    return commit === undefined
      ? undefined
      : { branch: name, commit, side: local === undefined ? 'origin' : 'local', ahead: 0, behind: 0 };
  }
  async resolve(revision: string): Promise<string | undefined> {
    return this.refs.get(revision);
  }
  async worktreePath(ticket: string): Promise<string> {
    return `/repo.worktrees/${ticket}`;
  }
  async addWorktree(options: { ticket: string; branch: string; commit: string }): Promise<{ path: string }> {
    // One that is there already is taken, as by the real one.
    if (!this.added.some(({ ticket }) => ticket === options.ticket)) this.added.push(options);
    return { path: `/repo.worktrees/${options.ticket}` };
  }
  async ignored(): Promise<readonly string[]> {
    return [];
  }
  async hooks(): ReturnType<Git['hooks']> {
    return [];
  }

  async filesNaming(_commit: string, _words: readonly string[]): Promise<readonly string[]> {
    return [];
  }
  async blobs(_commit: string, paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return paths.map((path) =>
      this.files.has(path) ? new TextEncoder().encode(this.files.get(path)) : undefined,
    );
  }
  async regularFiles(_commit: string, paths?: readonly string[]): Promise<readonly string[]> {
    return [...this.files.keys()].filter(
      (file) => !paths || paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
    );
  }
  subjects = (): Promise<readonly string[]> => Promise.resolve(this.said);
  blob = (): Promise<undefined> => Promise.resolve(undefined);
  async head(): Promise<string> {
    return 'a'.repeat(40);
  }
  async traits(): ReturnType<Git['traits']> {
    return {
      submodules: [],
      lfs: false,
      sparse: false,
      shallow: false,
      partial: false,
      oddPaths: [],
      namesakes: [],
      foldsCase: false,
      longestPath: 20,
    };
  }
  async trySigning(): ReturnType<Git['trySigning']> {
    return 'off';
  }
  /** Of two known commits, the one of a branch is the newer. */
  async mergeBase(_place: string, base: string, commit: string): Promise<string> {
    return base === commit ? commit : 'a'.repeat(40);
  }
  async removeScratch(): Promise<void> {}
  async detach(): Promise<void> {}
  async proposeMerge({
    base,
    commit,
  }: {
    base: string;
    commit: string;
  }): Promise<{ from: string; to: string }> {
    return { from: this.refs.get(`refs/heads/${base}`) ?? '', to: commit };
  }
  async merge({ base, commit }: { base: string; commit: string }): Promise<string> {
    if (this.refusal) throw this.refusal;
    this.refs.set(`refs/heads/${base}`, commit);
    this.merged.push(commit);
    return commit;
  }
}

function readPrompt(name: string): string {
  const path = join(import.meta.dirname, `../../../prompts/${name}.md`);
  if (!existsSync(path)) throw new Error(`There is no prompt ${name}`);
  return readFileSync(path, 'utf8');
}
