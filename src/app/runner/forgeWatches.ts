import { reasonOf } from '../../adapters/system/files.ts';
import type { RepositoryRow, RunnerRows } from '../../adapters/store/postgres/runnerRows.ts';
import { forgeAbility } from '../../domain/team/abilities.ts';
import type { TeamRepository } from './teamRepository.ts';

interface Options {
  /** This one. */
  readonly runner: string;
  readonly rows: Pick<RunnerRows, 'published' | 'runners'>;
  readonly open: (repository: string) => Promise<Pick<TeamRepository, 'watch' | 'isLost'>>;
  readonly log: (message: string) => void;
}

type Published = Awaited<ReturnType<RunnerRows['published']>>;
const none: Published = new Map();
/** Milliseconds before a repository is tried again that couldn't be opened. */
const againMs = 60_000;

/**
 * Has the pull requests of a team's tickets watched by one of its runners: the oldest with a sign-in there.
 * What changed on the forge is filed, and driven by any of them.
 */
export class ForgeWatches {
  readonly #options: Options;
  /** By the repository's name. */
  readonly #watching = new Map<string, Pick<TeamRepository, 'watch' | 'isLost'>>();
  readonly #notBefore = new Map<string, number>();
  #following: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** One at a time: a repository may have to be cloned. */
  follow(repositories: readonly RepositoryRow[]): Promise<void> {
    this.#following ??= this.#follow(repositories)
      .catch((error: unknown) => this.#options.log(`Pull requests aren't watched: ${reasonOf(error)}`))
      .finally(() => (this.#following = undefined));
    return this.#following;
  }

  async #follow(repositories: readonly RepositoryRow[]): Promise<void> {
    const { rows, runner } = this.#options;
    const living = (await rows.runners()).filter(({ silent }) => !silent);
    for (const { id, name } of repositories) {
      if (performance.now() < (this.#notBefore.get(name) ?? 0)) continue;
      // Where nobody has a sign-in, the oldest says what is missing.
      const watcher = living.find(({ can }) => forgeAbility(name) in can) ?? living[0];
      try {
        await this.#followOne(name, watcher?.id === runner ? await rows.published(id) : none);
      } catch (error) {
        this.#notBefore.set(name, performance.now() + againMs);
        this.#options.log(`${name}: pull requests aren't watched: ${reasonOf(error)}`);
      }
    }
  }

  async #followOne(name: string, tickets: Published): Promise<void> {
    const known = this.#watching.get(name);
    if (tickets.size === 0) {
      known?.watch(none);
      this.#watching.delete(name);
      return;
    }
    const opened = known && !known.isLost ? known : await this.#options.open(name);
    if (opened !== known) this.#options.log(`${name}: this runner watches the pull requests`);
    this.#watching.set(name, opened);
    opened.watch(tickets);
  }
}
