import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { type InboxEntry, inboxBodies } from '../../domain/ticket/inbox.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type {
  Store,
  Transaction,
  CommentReads,
  DismissalReads,
  DocumentReads,
  HistoryReads,
  JournalReads,
} from '../../engine/ports/storePort.ts';
import { applyChanges, packChanges } from './changes.ts';
import { CoveredRows } from './chain/covered.ts';
import type { Database } from './sql/database.ts';
import { deleteDismissal, editDismissal, readDismissals } from './chain/dismissals.ts';
import {
  append,
  type Tip,
  tipOf,
  toEntry,
  readJournal,
  readMilestones,
  verifyJournal,
} from './chain/journal.ts';
import { packMoved, putIn, removeMoved, takeOut } from './movedTickets.ts';
import { project } from './projections.ts';
import {
  readEarlierPlans,
  readLastCall,
  readPastCall,
  readPastCalls,
  readPastRuns,
  readPlannedCalls,
  readSummaries,
} from './readHistory.ts';
import { readInboxEntry } from './reads.ts';
import * as reads from './reads.ts';
import {
  deleteThread,
  writeThread,
  readThreads,
  insertTicket,
  positionOf,
  raiseRevision,
  readActive,
  readCompleted,
  readTicket,
  readTickets,
  readTicketsOfKeys,
} from './tickets.ts';
import { parseJson } from './sql/rows.ts';
import { isFence, type SyncCalls } from './sql/workerMessages.ts';

const LastWrite = z.object({ answer: z.string().nullable() });
/** Milliseconds; such a writer needs no answer any more. */
const forgottenMs = 24 * 60 * 60_000;

/** The ticket that a driver writes, or one of its runs. */
export type Fenced = { readonly ticket: string } | { readonly run: string };

export interface SqlStoreOptions {
  readonly now: () => number;
  /** Names this process's writes, so that they are made once. */
  readonly writer?: string | undefined;
  readonly check: () => Awaited<ReturnType<Store['check']>>;
  /** Called after a commit with the ticket's new last entry. */
  readonly onTip?: (ticket: string, tip: Tip) => void;
}

/**
 * The store over one connection, to SQLite or PostgreSQL. Every write is a transaction, and a driver's checks
 * that nobody took over (docs/decisions/004-one-driver.md). Also throws DatabaseBusy: try again.
 */
export abstract class SqlStore {
  readonly calls: SyncCalls;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #writer: string;
  readonly #covered: CoveredRows;
  readonly #onTip: NonNullable<SqlStoreOptions['onTip']>;
  #writing: { readonly id: number; readonly again: boolean } | undefined;

  constructor(database: Database, options: SqlStoreOptions) {
    this.#database = database;
    this.#now = options.now;
    this.#covered = new CoveredRows(database);
    this.#onTip = options.onTip ?? (() => undefined);
    this.#writer = options.writer ?? '';
    this.calls = {
      ...this.#reads(),
      check: options.check,
      altered: (ticket) => this.#covered.altered(ticket),
      commit: (transaction) => this.#commit(transaction),
      createTicket: (input) => this.#createTicket(input),
      post: (entry) => this.#post(entry),
      addActive: (run, key, ms) => this.#addActive(run, key, ms),
      saveReviewThread: (thread) => this.write(() => writeThread(database, thread)),
      removeReviewThread: (ticket, id) => this.write(() => deleteThread(database, ticket, id)),
      changeDismissal: (change) => this.write(() => editDismissal(database, change)),
      removeDismissal: (number) => this.write(() => deleteDismissal(database, number)),
      putIn: (moved) => {
        packMoved(database, moved);
        this.write(() => {
          this.mayAdd(moved.ticket);
          putIn(database, moved);
        });
      },
      removeMoved: (moved) => {
        this.write(() => {
          this.fence(moved);
          removeMoved(database, moved);
        });
      },
    };
  }

  /** Throws EPOCH_LOST unless this process drives the ticket; its epoch. */
  protected abstract fence(of: Fenced): number;

  /** Throws EPOCH_LOST unless this process may add a ticket that another database had. */
  protected mayAdd(ticket: string): void {
    this.fence({ ticket });
  }

  /** Of a new ticket's first entry. */
  protected abstract firstEpoch(): number;

  /** For an `adopt` or a claim: what writers of long ago need no more. */
  protected forgetWriters(): void {
    this.#database.run('DELETE FROM writes WHERE at < ?', this.#now() - forgottenMs);
  }

  /**
   * Stores the number with the write. `again`: a dead thread or a lost connection may have made it; then its
   * answer is given and nothing is written. A writer waits for each answer, so its last one is enough.
   */
  once(id: number, again: boolean, write: () => unknown): unknown {
    this.#writing = { id, again };
    try {
      return write();
    } finally {
      this.#writing = undefined;
    }
  }

  protected write<T>(work: () => T): T {
    const writing = this.#writing;
    if (writing === undefined) return this.#database.write(work);
    const { id, again } = writing;
    return this.#database.write(() => {
      // In the transaction: no other one can still be making it.
      const made = again
        ? this.#database.get('SELECT answer FROM writes WHERE writer = ? AND id = ?', this.#writer, id)
        : undefined;
      if (made !== undefined) {
        const { answer } = LastWrite.parse(made);
        return (answer === null ? undefined : parseJson(answer)) as T;
      }
      const answer = work();
      this.#database.run(
        `INSERT INTO writes (writer, id, at, answer) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (writer) DO UPDATE SET id = ?2, at = ?3, answer = ?4`,
        this.#writer,
        id,
        this.#now(),
        answer === undefined ? null : JSON.stringify(answer),
      );
      return answer;
    });
  }

  #commit(transaction: Transaction): { seq: number; revision: number } {
    const { ticket, expect, journal, changes = [] } = transaction;
    const entries = journal.map((entry) => toEntry(this.#database, entry));
    packChanges(this.#database, changes);
    this.#covered.catchUp(ticket);
    // Isn't stored: it may be made twice, and needs no disk.
    const write = isFence(transaction) ? this.#database.write.bind(this.#database) : this.write.bind(this);
    let last: Tip | undefined;
    const answer = write(() => {
      const epoch = this.fence({ ticket });
      const at = this.#now();
      const before = positionOf(this.#database, ticket);
      if (expect && (expect.status !== before.status || expect.revision !== before.revision))
        throw new BeadsmithError('STATUS_CONFLICT');
      const seen = expect?.pending;
      if (
        seen &&
        reads.readInbox(this.#database, ticket, { pending: true }).some(({ id }) => !seen.includes(id))
      )
        throw new BeadsmithError('STATUS_CONFLICT');
      const moves = journal.some((entry) => entry.kind === 'status');
      const covers = this.#covered.begin(ticket, changes, moves);
      let tip = tipOf(this.#database, ticket);
      for (const [index, entry] of entries.entries())
        project(this.#database, ticket, tip.seq + 1 + index, entry.value);
      if (moves) raiseRevision(this.#database, ticket);
      applyChanges(this.#database, ticket, moves ? [{ type: 'ticket', set: {} }, ...changes] : changes, at);
      const covered = covers();
      const written =
        covered !== undefined && entries.length === 0 ? [toEntry(this.#database, { kind: 'rows' })] : entries;
      for (const [index, entry] of written.entries())
        last = tip = append(
          this.#database,
          tip,
          { ticket, at, epoch },
          entry,
          index === written.length - 1 ? covered : undefined,
        );
      return { seq: tip.seq, revision: before.revision + Number(moves) };
    });
    if (last) this.#onTip(ticket, last);
    return answer;
  }

  #createTicket(input: Parameters<Store['createTicket']>[0]): Ticket {
    const ticket = this.write(() =>
      insertTicket(this.#database, input, { at: this.#now(), epoch: this.firstEpoch() }),
    );
    this.#onTip(ticket.id, tipOf(this.#database, ticket.id));
    return ticket;
  }

  #post(entry: Parameters<Store['post']>[0]): InboxEntry {
    const body = inboxBodies[entry.kind].safeParse(entry.body);
    if (!body.success)
      throw new BeadsmithError('INVALID_INPUT', {
        what: `"${entry.kind}"`,
        reason: z.prettifyError(body.error),
      });
    const stored = this.#database.pack(JSON.stringify(body.data));
    return this.write(() => {
      const earlier = readInboxEntry(this.#database, entry.id);
      if (earlier) return earlier;
      positionOf(this.#database, entry.ticket);
      this.#database.run(
        'INSERT INTO inbox (id, ticket, kind, body, posted_at, seal) VALUES (?, ?, ?, ?, ?, ?)',
        entry.id,
        entry.ticket,
        entry.kind,
        stored,
        this.#now(),
        entry.seal ?? null,
      );
      const filed = readInboxEntry(this.#database, entry.id);
      if (!filed)
        throw new BeadsmithError('UNEXPECTED', { reason: 'an entry that was just filed is not there' });
      return filed;
    });
  }

  #addActive(run: string, key: string, ms: number): void {
    this.write(() => {
      this.fence({ run });
      this.#database.run(
        `UPDATE steps SET active_ms = active_ms + ? WHERE run = ? AND key = ? AND state = 'intent'`,
        ms,
        run,
        key,
      );
    });
  }

  close(): void {
    this.#database.close();
  }

  #reads(): Pick<SyncCalls, keyof typeof storeReads> {
    const table: Readonly<Record<string, (...args: never) => unknown>> = storeReads;
    const bound = Object.entries(table).map(([name, read]) => [
      name,
      (...args: readonly unknown[]): unknown => Reflect.apply(read, undefined, [this.#database, ...args]),
    ]);
    return Object.fromEntries(bound) as Pick<SyncCalls, keyof typeof storeReads>;
  }
}

type Part = Omit<JournalReads, 'altered' | 'check'> &
  DocumentReads &
  HistoryReads &
  CommentReads &
  DismissalReads;
type Read<M extends keyof Part> = (
  database: Database,
  ...args: Parameters<Part[M]>
) => Awaited<ReturnType<Part[M]>>;

const storeReads: { readonly [M in keyof Part]: Read<M> } = {
  ticket: readTicket,
  tickets: readTickets,
  active: readActive,
  run: reads.readRun,
  runs: reads.readRuns,
  runCount: reads.countRuns,
  openRun: reads.readOpenRun,
  steps: reads.readSteps,
  inbox: reads.readInbox,
  consumed: reads.wasConsumed,
  journal: readJournal,
  verify: verifyJournal,
  takeOut,

  snapshotParts: reads.readSnapshotParts,
  artifact: reads.readArtifact,
  artifacts: reads.readArtifacts,
  artifactContent: reads.readContent,
  beads: reads.readBeads,

  summaries: readSummaries,
  completed: readCompleted,
  ticketsOfKeys: readTicketsOfKeys,
  pastRuns: readPastRuns,
  milestones: readMilestones,
  sessions: reads.readSessions,
  calls: reads.readCalls,
  pastCalls: readPastCalls,
  plannedCalls: readPlannedCalls,
  lastCall: readLastCall,
  earlierPlans: readEarlierPlans,
  pastCall: readPastCall,
  usage: reads.readUsage,
  spending: reads.readSpending,
  spendingSince: reads.readSpendingSince,
  calibration: reads.readCalibration,

  reviewThreads: readThreads,
  dismissals: readDismissals,
};
