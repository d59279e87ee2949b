import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { backUpAtEnd, withoutBackup } from './file/backups.ts';
import { checkDatabase } from './file/openDatabase.ts';
import { Tips } from './chain/journal.ts';
import type { SqliteDatabase } from './sqlite/database.ts';
import { SqlStore } from './sqlStore.ts';

const Meta = z.object({ value: z.string() });

/** The store in `state.db`, with what lies beside it: tips and backups. */
export class SqliteStore extends SqlStore {
  readonly #database: SqliteDatabase;
  readonly #now: () => number;
  #epoch: number | undefined;

  constructor(database: SqliteDatabase, now: () => number, epoch?: number, writer?: string) {
    const tips = new Tips(database.folder);
    super(database, {
      now,
      writer,
      check: () => checkDatabase(database),
      onTip: (ticket, tip) => tips.note(ticket, tip),
    });
    this.#database = database;
    this.#now = now;
    this.#epoch = epoch;
  }

  /** Becomes the driver: a higher epoch fails earlier drivers' writes. */
  adopt(): number {
    this.#epoch = withoutBackup(this.#database, () =>
      this.#database.write(() => {
        const epoch = this.firstEpoch() + 1;
        this.#database.run(`UPDATE meta SET value = ? WHERE key = 'epoch'`, String(epoch));
        this.forgetWriters();
        return epoch;
      }),
    );
    return this.#epoch;
  }

  /** One process drives all tickets. */
  override fence(): number {
    const stored = this.firstEpoch();
    if (stored !== this.#epoch) throw new BeadsmithError('EPOCH_LOST');
    return stored;
  }

  /** The stored one. */
  protected override firstEpoch(): number {
    return Number(Meta.parse(this.#database.get(`SELECT value FROM meta WHERE key = 'epoch'`)).value);
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
