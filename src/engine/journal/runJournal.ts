import type { Change, JournalEntry, Store, Transaction } from '../ports/storePort.ts';

/**
 * Where one run and its children write. What is over may wait for the next commit, as long as nothing begins, ends or stands still before it: if the
 * process dies in between, the next one comes to the same thing anew, from the same database and the notes of the effect. Each commit waits for the
 * disk several times, so there should be few.
 */
export class RunJournal {
  readonly #store: Pick<Store, 'commit'>;
  readonly #ticket: string;
  #entries: readonly JournalEntry[] = [];
  #changes: readonly Change[] = [];

  constructor(store: Pick<Store, 'commit'>, ticket: string) {
    this.#store = store;
    this.#ticket = ticket;
  }

  /** Adds entries, and the changes they stand for, to the front of the next commit. */
  later(entries: readonly JournalEntry[], changes: readonly Change[] = []): void {
    this.#entries = [...this.#entries, ...entries];
    this.#changes = [...this.#changes, ...changes];
  }

  async commit(journal: readonly JournalEntry[], changes: readonly Change[] = []): Promise<void> {
    await this.transact({ ticket: this.#ticket, journal, changes });
  }

  /** Commits a transaction that somebody else put together, with what waits in front. */
  async transact(transaction: Transaction): Promise<void> {
    const [entries, changes] = [this.#entries, this.#changes];
    this.#entries = [];
    this.#changes = [];
    await this.#store.commit({
      ...transaction,
      journal: [...entries, ...transaction.journal],
      changes: [...changes, ...(transaction.changes ?? [])],
    });
  }

  /** Commits what waits. Whoever stops here for longer calls it, so that others see where the run stands. */
  async flush(): Promise<void> {
    if (this.#entries.length > 0) await this.commit([]);
  }

  /** Makes changes that wait visible to whoever reads the database next. */
  async settle(): Promise<void> {
    if (this.#changes.length > 0) await this.flush();
  }
}
