import type { DriveQueue } from '../../adapters/queue/driveQueue.ts';
import type { RepositoryRow, RunnerRow, RunnerRows } from '../../adapters/store/postgres/runnerRows.ts';

type Rows = Pick<RunnerRows, 'runners' | 'claims' | 'unclaimed' | 'forget'>;
type Queue = Pick<DriveQueue, 'takeFromGone' | 'add' | 'forgetEnded'>;

const usualPriority = 3;
const forgetMs = 60 * 60_000;
const keptMs = 7 * 24 * 60 * 60_000;

/**
 * The duty of a team's oldest runner. Two at once do no harm: a drive is given on once, and claims fence.
 */
export class Leader {
  readonly #rows: Rows;
  readonly #queue: Queue;
  #forgotAt = Number.NEGATIVE_INFINITY;

  constructor(rows: Rows, queue: Queue) {
    this.#rows = rows;
    this.#queue = queue;
  }

  /**
   * Gives others' drives on once they are silent, and queues tickets that are in no queue: of a runner that
   * is gone, or from a machine of their own. Does nothing for a runner that isn't the oldest.
   */
  async lead(runner: string, repositories: readonly RepositoryRow[]): Promise<void> {
    const [oldest] = await this.#living();
    if (oldest?.id !== runner) return;
    const isQueued = await this.#queue.takeFromGone(() => this.#living());
    const ids = new Set((await this.#living()).map(({ id }) => id));
    for (const { id, name: repository } of repositories) {
      const left = (await this.#rows.claims(id)).filter((claim) => !ids.has(claim.runner));
      const wanted = [
        ...left.map(({ ticket, epoch }) => ({ ticket, reason: `left-${epoch}` })),
        ...(await this.#rows.unclaimed(id)).map((ticket) => ({ ticket, reason: 'came' })),
      ];
      for (const { ticket, reason } of wanted) {
        const order = { repository, ticket, priority: usualPriority };
        if (!isQueued(order)) await this.#queue.add(order, { id: reason });
      }
    }
    if (performance.now() - this.#forgotAt < forgetMs) return;
    this.#forgotAt = performance.now();
    await this.#queue.forgetEnded(Date.now() - keptMs);
    await this.#rows.forget(keptMs);
  }

  async #living(): Promise<readonly RunnerRow[]> {
    return (await this.#rows.runners()).filter(({ silent }) => !silent);
  }
}
