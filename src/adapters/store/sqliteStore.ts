import { backUpAtEnd, withoutBackup } from './file/backups.ts';
import { checkDatabase } from './file/openDatabase.ts';
import { Tips } from './chain/journal.ts';
import type { SqliteDatabase } from './sqlite/database.ts';
import { SqlStore } from './sqlStore.ts';

/** The store in `state.db`, with what lies beside it: tips and backups. */
export class SqliteStore extends SqlStore {
  readonly #database: SqliteDatabase;
  readonly #now: () => number;

  constructor(database: SqliteDatabase, now: () => number, epoch?: number, writer?: string) {
    const tips = new Tips(database.folder);
    super(database, {
      now,
      epoch,
      writer,
      check: () => checkDatabase(database),
      onTip: (ticket, tip) => tips.note(ticket, tip),
    });
    this.#database = database;
    this.#now = now;
  }

  override adopt(): number {
    return withoutBackup(this.#database, () => super.adopt());
  }

  /** A driver keeps a last backup if it can. */
  end(): void {
    try {
      this.fence();
      backUpAtEnd(this.#database, this.#now());
    } catch {
      // Not driving, a full disk or a lock: the next driver backs up.
    }
    this.close();
  }
}
