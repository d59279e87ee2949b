import type { Change, JournalEntry, Store, Transaction } from '../ports/storePort.ts';

/** The journal of a run and its children. Receipts wait for the next commit, because commits are slow. */
export class RunJournal {
  readonly #store: Pick<Store, 'commit'>;
  readonly #ticket: string;
  #entries: readonly JournalEntry[] = [];
  #changes: readonly Change[] = [];
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(store: Pick<Store, 'commit'>, ticket: string) {
    this.#store = store;
    this.#ticket = ticket;
  }

  /** Queues entries and changes for the next commit. */
  later(entries: readonly JournalEntry[], changes: readonly Change[] = []): void {
    this.#entries = [...this.#entries, ...entries];
    this.#changes = [...this.#changes, ...changes];
  }

  /** Says that an inbox entry is settled with the next commit. */
  settles(entry: string): boolean {
    return this.#changes.some((change) => change.type === 'inbox' && change.id === entry);
  }

  async commit(journal: readonly JournalEntry[], changes: readonly Change[] = []): Promise<void> {
    await this.transact({ ticket: this.#ticket, journal, changes });
  }

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
      // It may be of another branch.
      this.#entries = [...entries, ...this.#entries];
      this.#changes = [...changes, ...this.#changes];
      throw error;
    } finally {
      this.#underWay.delete(commit);
    }
  }

  /** Commits what waits. Call it before a longer pause. */
  async flush(): Promise<void> {
    await this.#until(() => this.#entries.length === 0);
  }

  /** Commits waiting changes, so that the next read sees them. */
  async settle(): Promise<void> {
    await this.#until(() => this.#changes.length === 0);
  }

  async #until(isDone: () => boolean): Promise<void> {
    for (;;) {
      if (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
      else if (isDone()) return;
      else await this.commit([]);
    }
  }
}
