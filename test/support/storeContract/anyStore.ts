import type { Database } from '../../../src/adapters/store/sql/database.ts';
import type { DirectStore } from '../engine/tempStore.ts';

/** A store of one of the two databases, with nothing in it. */
export interface AnyStore {
  readonly store: DirectStore;
  /** What a restart sees; the previous store's writes fail from then on. */
  reopen(): DirectStore;
  /** Runs SQL as damage or another program would. */
  readonly tamper: (sql: string, work?: (database: Database) => void) => void;
}

/** Makes a store for a test; `now`: the time that is recorded. */
export type NewStore = (options?: { readonly now?: () => number }) => AnyStore;
