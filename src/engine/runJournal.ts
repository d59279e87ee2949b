import type { Change, JournalEntry, Store, Transaction } from './storePort.ts';

/**
 * Where one run writes. An entry on which nothing outside rests yet may wait for the next commit: if the process dies before it, the next one
 * decides the same thing anew, and nobody has seen the difference.
 */
export class RunJournal {
  readonly #store: Pick<Store, 'commit'>;
  readonly #ticket: string;
  #waiting: readonly JournalEntry[] = [];

  constructor(store: Pick<Store, 'commit'>, ticket: string) {
    this.#store = store;
    this.#ticket = ticket;
  }

  /** Adds entries to the front of the next commit. */
  later(...entries: readonly JournalEntry[]): void {
    this.#waiting = [...this.#waiting, ...entries];
  }

  async commit(journal: readonly JournalEntry[], changes: readonly Change[] = []): Promise<void> {
    await this.transact({ ticket: this.#ticket, journal, changes });
  }

  /** Commits a transaction that somebody else put together, with what waits in front. */
  async transact(transaction: Transaction): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await this.#store.commit({ ...transaction, journal: [...waiting, ...transaction.journal] });
  }

  /** Commits what waits. Whoever stops here for longer calls it, so that others see where the run stands. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) await this.commit([]);
  }
}
