import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeAtomicallySync } from '../../system/files.ts';
import type { Database } from '../sqlite/database.ts';
import { newestBackup } from '../sqlite/backupNames.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Tip } from './journal.ts';

const TipRow = z.object({ ticket: z.string(), seq: z.number(), hash: z.string() });
const Hash = z.object({ hash: z.string() }).optional();
const line = /^(\S+) (\d+) ([0-9a-f]{64})$/;

/** A file this long is written again with one line for each ticket. */
const longest = 1024 * 1024;

/**
 * The last entry of each ticket's journal, in a file beside the database, so that an older copy of the
 * database and a journal that was cut are noticed: both are whole by themselves. Lines are added after
 * commits, so the file may be behind the database, for example after a crash, and never ahead of it. Half a
 * line says nothing, and neither does a file that is gone.
 */
export class Tips {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'state.tips');
  }

  /** After a commit. */
  note(ticket: string, { seq, hash }: Tip): void {
    try {
      // The line break comes first: what a crash left of the last line ends there.
      appendFileSync(this.#file, `\n${ticket} ${String(seq)} ${hash}`, { mode: 0o600 });
    } catch {
      // The disk is full, for example: the file is behind until it can be written again.
    }
  }

  /** Read before the database, which then is at least as new. */
  read(): ReadonlyMap<string, Tip> {
    const tips = new Map<string, Tip>();
    for (const text of this.#text().split('\n')) {
      const [, ticket, seq, hash] = line.exec(text) ?? [];
      if (ticket !== undefined && hash !== undefined) tips.set(ticket, { seq: Number(seq), hash });
    }
    return tips;
  }

  /**
   * The file as the database is now: without one, when it has grown long, and after a backup was restored.
   */
  write(database: Database): void {
    const rows = database.all(
      `SELECT ticket, seq, hash FROM journal AS one WHERE seq = (SELECT max(seq) FROM journal WHERE ticket = one.ticket) ORDER BY ticket`,
    );
    const lines = rows
      .map((row) => TipRow.parse(row))
      .map(({ ticket, seq, hash }) => `${ticket} ${String(seq)} ${hash}`);
    writeAtomicallySync(this.#file, lines.join('\n'), 0o600);
  }

  get isDue(): boolean {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size;
    return size === undefined || size > longest;
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #text(): string {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch {
      return '';
    }
  }
}

/** Throws DATABASE_BEHIND if the database lacks an entry that it had. */
export function refuseOlder(database: Database, tips: ReturnType<Tips['read']>): void {
  for (const [ticket, { seq, hash }] of tips) {
    const found = Hash.parse(
      database.get('SELECT hash FROM journal WHERE ticket = ? AND seq = ?', ticket, seq),
    );
    if (found?.hash === hash) continue;
    const backup = newestBackup(database.folder) ?? '(none)';
    throw new BeadsmithError('DATABASE_BEHIND', { path: database.path, ticket, seq, backup });
  }
}
