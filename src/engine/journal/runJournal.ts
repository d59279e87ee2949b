import type { Change, JournalEntry, Store, Transaction } from '../ports/storePort.ts';

/**
 * Where one run and its children write. Receipts may wait for the next commit as long as nothing starts, ends or pauses before it: if the process
 * dies in between, the next one arrives at the same receipts, from the same database and notes. Each commit waits for the disk several times, so
 * there should be few.
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
    await this.#store.commit({
      ...transaction,
      journal: [...entries, ...transaction.journal],
      changes: [...changes, ...(transaction.changes ?? [])],
    });
  }

  /** Commits what waits. Call it before a longer pause, so that others see how far the run is. */
  async flush(): Promise<void> {
    if (this.#entries.length > 0) await this.commit([]);
  }

  /** Commits waiting changes, so that the next read of the database sees them. */
  async settle(): Promise<void> {
    if (this.#changes.length > 0) await this.flush();
  }
}
