import { Clones } from '../../adapters/git/mirror/clones.ts';
import type { InstallationKey } from '../../adapters/keys/installationKey.ts';
import type { RepositoryRow, RunnerRows } from '../../adapters/store/postgres/runnerRows.ts';
import type { TeamKeys } from '../../adapters/store/postgres/teamKeys.ts';
import { reasonOf } from '../../adapters/system/files.ts';
import { Mutex } from '../../base/mutex.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { type Abilities, abilitiesOf } from '../../domain/team/abilities.ts';
import type { Client } from '../../protocol/api.ts';
import type { DrivenAppParts } from '../app.ts';
import { type AppOptions, openParts } from '../createApp.ts';
import { TeamRepository } from './teamRepository.ts';

interface Options {
  readonly url: string;
  /** Of the clones. */
  readonly folder: string;
  readonly runner: string;
  readonly atOnce: number;
  readonly silentMs: number;
  readonly app: Omit<AppOptions, 'folder' | 'drive' | 'decisions' | 'team'>;
  readonly rows: Pick<RunnerRows, 'repositories'>;
  readonly keys: TeamKeys;
  readonly key: InstallationKey;
  readonly onEvent: Parameters<Client['onEvent']>[0];
  readonly log: (message: string) => void;
}

/**
 * A team's repositories, as a runner has them. Each is cloned and opened for its first ticket here, and again
 * after its database was lost.
 */
export class OpenedRepositories {
  readonly #options: Options;
  readonly #clones: Clones;
  readonly #openings = new Mutex();
  readonly #opened = new Map<string, Promise<TeamRepository>>();
  readonly #ready = new Map<string, TeamRepository>();
  #known: readonly RepositoryRow[] = [];
  #can: Abilities = {};
  #isStopping = false;

  constructor(options: Options) {
    this.#options = options;
    const { folder, app, log } = options;
    this.#clones = new Clones({ folder, environment: app.env, log });
  }

  /** Those of the last look, whether they are open or not. */
  get known(): readonly RepositoryRow[] {
    return this.#known;
  }

  /** The abilities of this machine: none before one is open. */
  get can(): Abilities {
    return this.#can;
  }

  /** The number of drives that let others work. */
  get asides(): number {
    return [...this.#ready.values()].reduce((sum, { asides }) => sum + asides, 0);
  }

  async lookUp(): Promise<readonly RepositoryRow[]> {
    this.#known = await this.#options.rows.repositories();
    return this.#known;
  }

  /** It may have come since the last look. */
  async named(name: string): Promise<RepositoryRow | undefined> {
    const named = (one: RepositoryRow): boolean => one.name === name;
    return this.#known.find(named) ?? (await this.lookUp()).find(named);
  }

  /** One after the other: two engines of a repository would share its clone. */
  open(name: string): Promise<TeamRepository> {
    return this.#openings.run(name, () => this.#openOne(name));
  }

  /** Ends the drives of tickets that others took over. */
  dropLost(): void {
    for (const opened of this.#opened.values()) void this.#dropLost(opened);
  }

  /** Calls of the database wait for it no longer. */
  hurry(): void {
    for (const opened of this.#opened.values())
      void opened.then(
        (one) => one.hurry(),
        () => undefined,
      );
  }

  /** Opens none from now on. */
  close(): void {
    this.#isStopping = true;
  }

  /** Ends the drives at a safe point. */
  async stop(): Promise<void> {
    await Promise.allSettled((await this.#all()).map((one) => one.stop()));
  }

  async dispose(): Promise<void> {
    await Promise.allSettled((await this.#all()).map((one) => one.dispose()));
    await this.#clones.close();
  }

  async #all(): Promise<readonly TeamRepository[]> {
    const opened = await Promise.allSettled(this.#opened.values());
    return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** Not waited for: one that is opened now may be cloned for minutes. */
  async #dropLost(opened: Promise<TeamRepository>): Promise<void> {
    try {
      await (await opened).dropLost();
    } catch (error) {
      this.#options.log(`Tickets that others have can't be looked up: ${reasonOf(error)}`);
    }
  }

  async #openOne(name: string): Promise<TeamRepository> {
    // What opens now would not be stopped.
    if (this.#isStopping) throw new BeadsmithError('UNEXPECTED', { reason: 'this runner stops' });
    const known = await this.#opened.get(name)?.catch(() => undefined);
    if (known && !known.isLost) {
      await this.#refresh(name);
      return known;
    }
    if (known) await known.dispose().catch(() => undefined);
    const opening = this.#opens(name);
    this.#opened.set(name, opening);
    return await opening;
  }

  /** Bases of tickets come from there. A drive that needs the remote waits for it by itself. */
  async #refresh(name: string): Promise<void> {
    const repository = this.#known.find((one) => one.name === name);
    if (!repository) return;
    await this.#clones
      .refresh(repository)
      .catch((error: unknown) => this.#options.log(`${name} can't be fetched: ${reasonOf(error)}`));
  }

  async #opens(name: string): Promise<TeamRepository> {
    const { app, url, runner, keys, key, atOnce, silentMs, log, onEvent } = this.#options;
    const repository = (await this.named(name)) ?? { name, url: '' };
    const { ofTeam, ...parts } = await openParts({
      ...app,
      folder: await this.#clones.open(repository),
      drive: true,
      decisions: { decide: () => Promise.reject(new BeadsmithError('DECISION_NEEDS_PERSON')) },
      team: { url, repository: name, runner, keys, key },
    });
    if (!ofTeam) throw new BeadsmithError('UNEXPECTED', { reason: 'an agent started this runner' });
    const opened = new TeamRepository({ ...parts, ofTeam }, { atOnce, silentMs, log });
    opened.client.onEvent(onEvent);
    await opened.start();
    this.#ready.set(name, opened);
    await this.#lookAt(parts);
    return opened;
  }

  /** For people: with the next heartbeat the team knows what this machine has. */
  async #lookAt({ ports, client }: Pick<DrivenAppParts, 'ports' | 'client'>): Promise<void> {
    try {
      const [facts, models] = [await ports.workplace.facts(), await ports.agent.models()];
      this.#can = abilitiesOf({ facts, models, unsandboxed: client.repository.unsandboxed });
    } catch (error) {
      this.#options.log(`What this machine has can't be told: ${reasonOf(error)}`);
    }
  }
}
