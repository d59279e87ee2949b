import type { Change, JournalEntry, Store, Transaction } from '../ports/storePort.ts';

/**
 * The journal in which one run and its children write. Receipts may wait for the next commit while nothing
 * starts, ends or pauses before it: if the process dies in between, the next one arrives at the same
 * receipts, from the same database and notes. Each commit waits for the disk several times, so there should
 * be few.
 */
export class RunJournal {
  readonly #store: Pick<Store, 'commit'>;
  readonly #ticket: string;
  #entries: readonly JournalEntry[] = [];
  #changes: readonly Change[] = [];
  /** Commits that are under way. One branch's receipts may be in the commit of another. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(store: Pick<Store, 'commit'>, ticket: string) {
    this.#store = store;
    this.#ticket = ticket;
  }

  /** Adds entries and their changes to the front of the next commit. */
  later(entries: readonly JournalEntry[], changes: readonly Change[] = []): void {
    this.#entries = [...this.#entries, ...entries];
    this.#changes = [...this.#changes, ...changes];
  }

  async commit(journal: readonly JournalEntry[], changes: readonly Change[] = []): Promise<void> {
    await this.transact({ ticket: this.#ticket, journal, changes });
  }

  /** Commits a given transaction, with what waits in front of it. */
  async transact(transaction: Transaction): Promise<void> {
    const [entries, changes] = [this.#entries, this.#changes];
    this.#entries = [];
    this.#changes = [];
    const commit = this.#store.commit({
      ...transaction,
      journal: [...entries, ...transaction.journal],
      changes: [...changes, ...(transaction.changes ?? [])],
    });
    this.#underWay.add(commit);
    try {
      await commit;
    } catch (error) {
      // What waited in front happened all the same, and is another branch's as a rule: it goes with the next
      // commit.
      this.#entries = [...entries, ...this.#entries];
      this.#changes = [...changes, ...this.#changes];
      throw error;
    } finally {
      this.#underWay.delete(commit);
    }
  }

  /** Commits what waits. Call it before a longer pause, so that others see how far the run is. */
  async flush(): Promise<void> {
    await this.#until(() => this.#entries.length === 0);
  }

  /** Commits waiting changes, so that the next read of the database sees them. */
  async settle(): Promise<void> {
    await this.#until(() => this.#changes.length === 0);
  }

  /**
   * Commits until `isDone`. What was handed in here may be on its way in the commit of another branch, and
   * comes back if that one fails.
   */
  async #until(isDone: () => boolean): Promise<void> {
    for (;;) {
      if (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
      else if (isDone()) return;
      else await this.commit([]);
    }
  }
}
