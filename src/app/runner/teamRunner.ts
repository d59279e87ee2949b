import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type * as Pg from 'pg';
import { type DriveEnd, type DriveOrder, DriveQueue, queueSchema } from '../../adapters/queue/driveQueue.ts';
import { systemClock } from '../../adapters/clock/systemClock.ts';
import { CommandLineTokens } from '../../adapters/forge/tokens.ts';
import { InstallationKey } from '../../adapters/keys/installationKey.ts';
import { guardPg } from '../../adapters/store/postgres/loadPg.ts';
import { type Beat, RunnerRows } from '../../adapters/store/postgres/runnerRows.ts';
import { TeamKeys } from '../../adapters/store/postgres/teamKeys.ts';
import { coalesced } from '../../base/coalesced.ts';
import { reasonOf } from '../../adapters/system/files.ts';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { type Abilities, fullDisk } from '../../domain/team/abilities.ts';
import { lacking, needsText } from '../../domain/team/needs.ts';
import type { Behaviour } from '../../engine/drive/runner.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import { behaviour } from '../../phases/index.ts';
import type { Client } from '../../protocol/api.ts';
import type { AppOptions } from '../createApp.ts';
import { teamParts } from '../team.ts';
import { deviceOf, prepareTeam } from '../teamDevices.ts';
import { ForgeWatches } from './forgeWatches.ts';
import { Leader } from './leader.ts';
import { OpenedRepositories } from './openedRepositories.ts';
import { SignIns } from './signIns.ts';

/** Throws DATABASE_IO, and DATABASE_READ_ONLY where this login may not drive. */
export function startTeamRunner(options: TeamRunnerOptions): Promise<TeamRunner> {
  return TeamRunner.start(options);
}

export interface TeamRunnerOptions {
  readonly url: string;
  /** Of the clones. */
  readonly folder: string;
  /** Tickets that it drives at a time; undefined: the usual number. */
  readonly atOnce: number | undefined;
  /** Abilities that its owner names, as `label:…`. */
  readonly labels?: readonly string[];
  /** Milliseconds after which a runner that isn't heard of is taken for gone. */
  readonly silentMs?: number;
  readonly app: Omit<AppOptions, 'folder' | 'drive' | 'decisions' | 'team'>;
  readonly onEvent: Parameters<Client['onEvent']>[0];
  readonly log: (message: string) => void;
}

export const usualSilentMs = 60_000;
const usualAtOnce = 2;
/** With fewer bytes of space, no drive is taken. */
const leastSpace = 64 * 1024 * 1024;
/** Milliseconds that a clock may be wrong. */
const leastSkewMs = 2_000;
const longestBeatMs = 2_000;
/** Milliseconds before a failed drive is tried again. */
const againMs = 10_000;
/** Milliseconds of a stop without the database until its calls fail, and then until the process ends. */
const awayMs = 20_000;
const hurriedMs = 8_000;

/**
 * A process that drives a team's tickets (docs/team.md). It registers, takes drives from the team's queue,
 * and queues tickets with something to take. The oldest runner gives others' drives on once they are silent.
 */
export class TeamRunner {
  readonly id: string = randomUUID();
  readonly #options: TeamRunnerOptions;
  readonly #rows: RunnerRows;
  readonly #keys: TeamKeys;
  readonly #key: InstallationKey;
  readonly #repositories: OpenedRepositories;
  readonly #signIns: SignIns;
  readonly #watches: ForgeWatches;
  readonly #version = versionOf(behaviour);
  readonly #silentMs: number;
  readonly #atOnce: number;
  readonly #driving = new Set<Promise<unknown>>();
  readonly #looks = new Map<number, () => Promise<void>>();
  readonly #asked = Promise.withResolvers<void>();
  #queue: DriveQueue | undefined;
  #leader: Leader | undefined;
  #beats: Repeated | undefined;
  #rounds: Repeated | undefined;
  #heardAt = performance.now();
  #isFull = false;
  #skewMs = 0;
  /** One for all machines: the server's. */
  readonly #clock: Clock = { ...systemClock, now: () => systemClock.now() + this.#skewMs };
  #isStopping = false;

  private constructor(options: TeamRunnerOptions) {
    this.#options = { ...options, app: { ...options.app, clock: this.#clock } };
    this.#silentMs = options.silentMs ?? usualSilentMs;
    this.#atOnce = options.atOnce ?? usualAtOnce;
    this.#keys = new TeamKeys(options.url);
    // Not the key of the person who may use this machine, too.
    this.#key = new InstallationKey(join(options.folder, 'key'));
    this.#rows = new RunnerRows({
      url: options.url,
      silentMs: this.#silentMs,
      onChange: (repository) => void this.#look(repository),
    });
    const { url, folder, app, onEvent, log } = this.#options;
    this.#repositories = new OpenedRepositories({
      url,
      folder,
      runner: this.id,
      atOnce: this.#atOnce,
      silentMs: this.#silentMs,
      app,
      rows: this.#rows,
      keys: this.#keys,
      key: this.#key,
      onEvent,
      log,
    });
    const open: OpenedRepositories['open'] = (name) => this.#repositories.open(name);
    const tokens = new CommandLineTokens({ environment: app.env, inside: [] });
    this.#signIns = new SignIns((host) => tokens.has(host));
    this.#watches = new ForgeWatches({ runner: this.id, rows: this.#rows, open, log });
  }

  /** Throws DATABASE_IO, and DATABASE_READ_ONLY where this login may not drive. */
  static async start(options: TeamRunnerOptions): Promise<TeamRunner> {
    await prepareTeam(options.url);
    const runner = new TeamRunner(options);
    try {
      await runner.#start();
    } catch (error) {
      await runner.stop();
      throw error;
    }
    return runner;
  }

  /** Resolves when a person asked this runner to leave. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /**
   * Ends at a safe point of each drive: others carry on. While the database is away, nothing gets there; then
   * they carry on once this runner is silent.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#repositories.close();
    this.#queue?.takes(false);
    const [away, late] = [new AbortController(), new AbortController()];
    const since = performance.now();
    const watch = setInterval(() => {
      const silent = performance.now() - Math.max(since, this.#heardAt);
      if (silent > awayMs) away.abort();
      if (silent > awayMs + hurriedMs) late.abort();
    }, 500);
    away.signal.addEventListener('abort', () => {
      this.#options.log("The team's database is away: this runner ends without it.");
      this.#repositories.hurry();
    });
    await Promise.race([this.#end(), once(late.signal, 'abort')]);
    clearInterval(watch);
  }

  async #end(): Promise<void> {
    await this.#rounds?.stop();
    await this.#repositories.stop();
    await Promise.allSettled(this.#driving);
    // Until then it is heard of, however long the safe point takes.
    await this.#beats?.stop();
    await this.#rows.remove(this.id).catch(() => undefined);
    await this.#queue?.close();
    await this.#repositories.dispose().catch(() => undefined);
    await Promise.allSettled([this.#rows.close(), this.#keys.close()]);
  }

  async #start(): Promise<void> {
    // Before the queue: nobody may take what an unknown runner begins for left.
    await this.#say();
    // With it a runner files that something changed on the forge, and decides nothing.
    await this.#keys.register({ ...(await deviceOf(this.#key)), person: 'runner', role: 'reader' });
    const { makes, hasRole } = await this.#rows.rights();
    const parts = teamParts(this.#options.app.env);
    // The queue's own copy: what it requires. What is installed has no other names.
    guardPg(((await parts.load('pg')) as { readonly default: typeof Pg }).default);
    const open = (): Promise<DriveQueue> =>
      DriveQueue.open({
        url: this.#options.url,
        runner: this.id,
        version: this.#version,
        atOnce: this.#atOnce,
        silentMs: this.#silentMs,
        asides: () => this.#repositories.asides,
        needs: (order) => this.#needs(order),
        can: (needs) => lacking(this.#abilities, needs).length === 0,
        makesTables: makes,
        parts,
        drive: (order) => this.#drive(order),
        now: () => this.#clock.now(),
        log: this.#options.log,
      });
    // Runners that start together would make the queue's tables at once.
    this.#queue = await (makes ? this.#rows.inTurn(open) : open());
    this.#leader = new Leader(this.#rows, this.#queue);
    if (makes && hasRole) await this.#rows.inTurn(() => this.#rows.share(queueSchema));
    await this.#round();
    this.#queue.takes(!this.#isFull);
    const beatMs = Math.min(longestBeatMs, this.#silentMs / 4);
    this.#beats = every(beatMs, () => this.#beat());
    this.#rounds = every(beatMs, () => this.#round());
  }

  get #abilities(): Abilities {
    const labels = (this.#options.labels ?? []).map((label) => [label, 'yes'] as const);
    const full = this.#isFull ? fullDisk : {};
    return { ...this.#repositories.can, ...this.#signIns.can, ...full, ...Object.fromEntries(labels) };
  }

  get #row(): Parameters<RunnerRows['beat']>[0] {
    const can = this.#abilities;
    const load = { atOnce: this.#atOnce, asides: this.#repositories.asides };
    return { id: this.id, host: hostname(), version: this.#version, can, ...load };
  }

  /** Waits for nothing else, so that only a runner that can't reach the database is silent. */
  async #beat(): Promise<void> {
    try {
      const { wanted, silentMs } = await this.#say();
      this.#queue?.takes(wanted === 'work' && !this.#isStopping && !this.#isFull);
      if (wanted === 'leave' || (wanted === 'drain' && this.#driving.size <= this.#repositories.asides))
        this.#asked.resolve();
      this.#heardAt = performance.now();
      // This machine's own clocks may have stood still while it slept.
      if (silentMs > this.#silentMs) this.#repositories.dropLost();
    } catch (error) {
      this.#options.log(`The team's database can't be reached: ${reasonOf(error)}`);
    }
  }

  /** Says that it is alive, and sets its clock. */
  async #say(): Promise<Beat> {
    await this.#lookAtDisk();
    const from = Date.now();
    const beat = await this.#rows.beat(this.#row);
    const to = Date.now();
    const skewMs = beat.at - (from + to) / 2;
    // A slow answer says little.
    if (to - from < leastSkewMs) this.#skewMs = Math.abs(skewMs) < leastSkewMs ? 0 : Math.round(skewMs);
    return beat;
  }

  /** A disk that tells nothing is no reason to take nothing. */
  async #lookAtDisk(): Promise<void> {
    const { folder, log } = this.#options;
    const wasFull = this.#isFull;
    this.#isFull = await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize < leastSpace,
      () => false,
    );
    if (this.#isFull === wasFull) return;
    log(
      this.#isFull
        ? `The disk of ${folder} is full: no more tickets are taken.`
        : `${folder} has space again.`,
    );
  }

  async #round(): Promise<void> {
    try {
      const repositories = await this.#repositories.lookUp();
      for (const { id } of repositories) await this.#look(id);
      void this.#signIns.look(repositories);
      await this.#leader?.lead(this.id, repositories);
      void this.#watches.follow(repositories);
    } catch (error) {
      this.#options.log(`Nothing is queued: ${reasonOf(error)}`);
    }
  }

  /** Queues the tickets with an entry that nobody has taken, once for each entry. */
  async #look(repository: number): Promise<void> {
    const look = this.#looks.get(repository) ?? coalesced(() => this.#queueWaiting(repository));
    this.#looks.set(repository, look);
    try {
      await look();
    } catch (error) {
      this.#options.log(`Tickets can't be looked up: ${reasonOf(error)}`);
    }
  }

  async #queueWaiting(id: number): Promise<void> {
    const repository = this.#repositories.known.find((one) => one.id === id)?.name;
    if (repository === undefined || this.#isStopping) return;
    const waiting = await this.#rows.waiting(id);
    await this.#queue?.addNew(
      waiting.map(({ ticket, entry, priority }) => ({ repository, ticket, priority, id: entry })),
    );
    this.#queue?.look();
  }

  async #needs({
    repository,
    ticket,
  }: Pick<DriveOrder, 'repository' | 'ticket'>): Promise<readonly string[]> {
    const id = (await this.#repositories.named(repository))?.id;
    return id === undefined ? [] : this.#rows.needs(id, ticket);
  }

  async #drive(order: DriveOrder): Promise<DriveEnd> {
    if (!this.#isStopping) {
      const work = this.#driven(order);
      this.#driving.add(work);
      const end = await work.finally(() => this.#driving.delete(work));
      if (end) return end;
    }
    // It counts as running, and is given to another runner when this one is gone.
    return new Promise(() => undefined);
  }

  async #driven({ repository, ticket }: DriveOrder): Promise<DriveEnd | undefined> {
    try {
      const opened = await this.#repositories.open(repository);
      // It may have waited in another queue: its settings change, and this runner knows itself only by now.
      const lack = lacking(this.#abilities, await this.#needs({ repository, ticket }));
      if (lack.length === 0) return await opened.drive(ticket);
      this.#options.log(`${repository} ${ticket} needs what this runner hasn't: ${needsText(lack)}`);
      return { again: this.#clock.now() };
    } catch (error) {
      if (this.#isStopping) return undefined;
      if (error instanceof BeadsmithError && error.code === 'TICKET_UNKNOWN') return { again: null };
      this.#options.log(`${repository} ${ticket}: ${reasonOf(error)}`);
      return { again: this.#clock.now() + againMs };
    }
  }
}

interface Repeated {
  /** Resolves when the last one has ended. */
  stop(): Promise<void>;
}

/** Does something again and again, one after the other. */
function every(ms: number, work: () => Promise<void>): Repeated {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work().finally(() => (running = undefined));
  }, ms);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** The same for all programs whose handlers replay each other's runs. */
export function versionOf({ handlers, prepared, stages }: Behaviour): string {
  const versions = Object.entries({ ...handlers, ...prepared }).map(([name, { version }]) => [name, version]);
  return sha256(canonicalJson([...versions, ['stages', stages.version]])).slice(0, 12);
}
