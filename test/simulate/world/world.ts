import * as z from 'zod';
import { SqliteDatabase } from '../../../src/adapters/store/sqlite/database.ts';
import { migrate } from '../../../src/adapters/store/file/migrate.ts';
import { SqliteStore } from '../../../src/adapters/store/sqliteStore.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { isTerminal } from '../../../src/domain/workflow/workflow.ts';
import type { AgentRequest } from '../../../src/engine/ports/ports.ts';
import type { Transaction } from '../../../src/engine/ports/storePort.ts';
import type { Behaviour } from '../../../src/engine/drive/runner.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { type Answered, type ReceivedPrompt, SimulatedServer } from './agentServer.ts';
import { simulatedBehaviour } from './behaviour.ts';
import { type CallMoment, SimulatedDriver } from './driver.ts';
import { type Faults, noFaults } from './faults.ts';
import { Random } from './random.ts';
import { SimulatedRepository } from './repository.ts';
import { Timeline } from './timeline.ts';

export interface Tampering {
  readonly world?: (world: World) => void;
  /** Answers a call's arguments, right before the database. */
  readonly before?: (
    method: string,
    args: readonly unknown[],
    world: World,
    driver: SimulatedDriver,
  ) => readonly unknown[];
}

export interface WorldOptions {
  readonly seed: number;
  readonly faults?: Faults;
  readonly tampering?: Tampering;
  readonly crash?: (moment: CallMoment) => boolean;
  readonly turns?: (identity: string) => boolean;
  readonly fails?: (name: string) => boolean;
}

const Note = z.object({ type: z.literal('prompt'), session: z.string(), number: z.number() });

const start = Date.parse('2026-01-01T00:00:00Z');

/** Time, disk, database, repository and models under one seed. Outlives the drivers. */
export class World {
  readonly timeline = new Timeline();
  readonly random: Random;
  readonly repository = new SimulatedRepository();
  readonly server: SimulatedServer;
  readonly behaviour: Behaviour = simulatedBehaviour();
  readonly database: SqliteDatabase;
  /** As another process sees it. */
  readonly reader: SqliteStore;
  readonly acknowledged: { readonly id: string; readonly ticket: string; readonly kind: string }[] = [];
  readonly published: { readonly ticket: string; readonly commit: string }[] = [];
  /** Found by the checks of each transaction and effect. */
  readonly problems: string[] = [];
  /** A line each: two runs of a seed have the same. */
  readonly trace: string[] = [];
  readonly counts = { kills: 0, freezes: 0, faults: 0, drivers: 0, restarts: 0 };
  driver: SimulatedDriver | undefined;
  readonly #faults: Faults;
  readonly #options: WorldOptions;
  #skew = 0;
  /** Until the next transaction that moves a ticket. */
  #over: boolean | undefined;
  #disk: { readonly state: 'full' | 'broken'; readonly until: number } | undefined;
  /** Before the next process starts. */
  onDidEnd: () => void = () => undefined;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#faults = options.faults ?? noFaults;
    this.random = new Random(options.seed);
    this.server = new SimulatedServer(this.timeline, this.random, (prompt, session) =>
      this.#answer(prompt, session.directory),
    );
    this.server.faults = this.#faults.agent;
    // SQLite's name for a database in memory; the path's end is a parameter that it ignores.
    this.database = new SqliteDatabase('file::memory:?named=');
    this.database.exec('PRAGMA synchronous = OFF');
    migrate(this.database, start);
    this.reader = new SqliteStore(this.database, () => this.wallClock());
    options.tampering?.world?.(this);
  }

  wallClock(): number {
    return start + this.timeline.now + this.#skew;
  }

  tickets(): readonly Ticket[] {
    return this.reader.calls.tickets();
  }

  isOver(): boolean {
    this.#over ??= this.tickets().every(({ status }) => isTerminal(status));
    return this.#over;
  }

  /** After enough faults, so that every run comes to an end. */
  get isCalm(): boolean {
    return this.counts.faults >= this.#faults.most || this.timeline.events > 6_000;
  }

  start(): void {
    this.counts.drivers++;
    const driver = new SimulatedDriver(this);
    this.driver = driver;
    this.#note(`driver ${String(driver.epoch)}`);
    driver.engine.start().catch(() => this.driveFailed(driver));
  }

  dispose(): void {
    this.driver?.kill();
    this.database.close();
  }

  /** The window starts its driver again after a while. */
  driveFailed(driver: SimulatedDriver): void {
    if (this.driver !== driver) return;
    this.counts.restarts++;
    this.#end(driver, 'failed');
  }

  fails(name: string): boolean {
    return this.#options.fails?.(name) === true || (name.startsWith('git.') && this.strikes('gitLocked'));
  }

  strikes(kind: 'busy' | 'tooBusy' | 'thread' | 'gitLocked'): boolean {
    const likely = this.#faults[kind];
    if (likely === 0 || this.isCalm || !this.random.chance(likely)) return false;
    if (kind !== 'busy') this.counts.faults++;
    this.#note(kind);
    return true;
  }

  disk(): 'full' | 'broken' | undefined {
    if (this.#disk && this.#disk.until > this.timeline.now) return this.#disk.state;
    const { full, io } = this.#faults;
    if (full + io === 0 || this.isCalm) return undefined;
    const drawn = this.random.next();
    if (drawn >= full + io) return undefined;
    this.counts.faults++;
    this.#disk = {
      state: drawn < full ? 'full' : 'broken',
      until: this.timeline.now + this.random.between(1, 20_000),
    };
    this.#note(this.#disk.state);
    return this.#disk.state;
  }

  /** Nothing of the process comes back then. */
  endsAt(driver: SimulatedDriver, moment: CallMoment): boolean {
    if (driver !== this.driver || !driver.isAlive) return false;
    this.#note(`${moment.when} ${moment.name}`);
    this.#nuisance();
    if (this.#options.crash?.(moment)) return this.#end(driver, 'killed');
    if (this.isCalm) return false;
    if (this.counts.kills < this.#faults.kills && this.random.chance(this.#faults.kill))
      return this.#end(driver, 'killed');
    if (this.counts.freezes < 1 && this.random.chance(this.#faults.freeze)) this.#freeze(driver);
    return false;
  }

  /** What a prompt is for must be on record, and not done. */
  receive(driver: SimulatedDriver, session: string, request: AgentRequest, mayAsk: boolean): void {
    const prompt = this.server.receive(session, request, mayAsk && this.random.chance(0.3));
    const [run = ''] = prompt.identity?.split(' ') ?? [];
    if (run === '') return;
    const isIts = (note: unknown): boolean => {
      const { data } = Note.safeParse(note);
      return data?.session === session && data.number === prompt.number;
    };
    const step = this.reader.calls.steps(run).find(({ notes }) => notes.some(isIts));
    const what = `prompt ${String(prompt.number)} of ${session}, for ${String(prompt.identity)},`;
    if (!step) this.problems.push(`${what} was sent without a note (driver ${String(driver.epoch)})`);
    else if (step.state !== 'intent') this.problems.push(`${what} was sent after the receipt of ${step.key}`);
  }

  /** Unless a test tampers with it. */
  sent(driver: SimulatedDriver, method: string, args: readonly unknown[]): readonly unknown[] {
    return this.#options.tampering?.before?.(method, args, this, driver) ?? args;
  }

  /** Never by a driver that is no longer the newest. */
  committed(driver: SimulatedDriver, [transaction]: readonly unknown[]): void {
    if (driver !== this.driver)
      this.problems.push(`driver ${String(driver.epoch)} wrote although another one drives`);
    const { journal } = transaction as Transaction;
    if (journal.some(({ kind }) => kind === 'status')) this.#over = undefined;
    for (const entry of journal)
      this.#note(`  ${entry.kind} ${'key' in entry ? `${entry.run} ${entry.key}` : ''}`);
  }

  saw(_event: TicketEvent): void {
    // Nothing is proved by an event.
  }

  #end(driver: SimulatedDriver, why: 'killed' | 'failed'): true {
    if (why === 'killed') this.counts.kills++;
    this.counts.faults++;
    driver.kill();
    this.#note(why);
    this.driver = undefined;
    this.onDidEnd();
    this.timeline.after(this.random.between(500, 10_000), () => {
      if (!this.driver) this.start();
    });
    return true;
  }

  #freeze(driver: SimulatedDriver): void {
    this.counts.freezes++;
    this.counts.faults++;
    this.#note('frozen');
    driver.freeze();
    this.driver = undefined;
    this.onDidEnd();
    this.timeline.after(this.random.between(500, 5_000), () => {
      this.start();
      this.timeline.after(this.random.between(0, 5_000), () => driver.thaw());
      this.timeline.after(60_000, () => driver.kill());
    });
  }

  #nuisance(): void {
    if (this.isCalm) return;
    if (this.#faults.serverEnds > 0 && this.random.chance(this.#faults.serverEnds / 20)) {
      this.counts.faults++;
      this.#note('server ends');
      this.server.restart();
    }
    if (this.#faults.clock > 0 && this.random.chance(this.#faults.clock / 20)) {
      this.counts.faults++;
      this.#skew += this.random.pick([-3_600_000, 86_400_000, 28_800_000, -1_000]);
      this.#note(`clock ${String(this.#skew)}`);
    }
  }

  /** Sometimes badly, sometimes nothing at all. */
  #answer(prompt: ReceivedPrompt, directory: string): Answered {
    const turns = this.#options.turns?.(prompt.identity ?? '') ?? this.random.chance(0.3);
    const text = `answer: ${turns ? 'other' : 'first'} ${sha256(`${String(prompt.identity)} ${String(this.#options.seed)}`).slice(0, 8)}`;
    const bead = /:bead:([^:]+):(\d+) code/.exec(prompt.identity ?? '');
    if (!bead) return { text };
    const isBad = !this.isCalm && this.random.chance(0.2);
    const work = (): void => {
      this.repository.worktrees
        .get(directory)
        ?.files.set(`${bead[1] ?? ''}.txt`, `${isBad ? 'bad' : 'good'} ${bead[2] ?? ''}`);
    };
    return { text, work };
  }

  #note(line: string): void {
    this.trace.push(`${String(this.timeline.now)} ${line}`);
  }
}
