import * as z from 'zod';
import { BeadsmithError } from '../../domain/errors.ts';
import { type InboxEntry, inboxBodies } from '../../domain/inbox.ts';
import type { ReviewThread } from '../../domain/reviewThread.ts';
import type { Ticket } from '../../domain/ticket.ts';
import type { Store, Transaction } from '../../engine/ports/storePort.ts';
import { applyChanges, packChanges } from './changes.ts';
import { checkDatabase } from './checkDatabase.ts';
import type { Database } from './database.ts';
import { append, readJournal, readMilestones, tipOf, toEntry, verifyJournal } from './journal.ts';
import { project } from './projections.ts';
import { readPastCall, readPastCalls, readPastRuns, readSummaries } from './readHistory.ts';
import * as reads from './reads.ts';
import { deleteThread, readThreads, writeThread } from './reviewThreads.ts';
import { insertTicket, positionOf, raiseRevision, readActive, readTicket, readTickets } from './tickets.ts';

/** The methods of the store port, each as one synchronous call. */
export type SyncStore = {
  readonly [M in StoreMethod]: (...args: Parameters<Store[M]>) => Awaited<ReturnType<Store[M]>>;
};
export type StoreMethod = Exclude<keyof Store, 'onDidChange' | 'close'>;

const Meta = z.object({ value: z.string() });

/**
 * The store over one connection. Every write is one transaction, and every write of the driver checks that nobody else has taken over
 * (docs/decisions/004-one-driver.md). Also throws DatabaseBusy, after which the caller tries again.
 */
export class SqliteStore implements SyncStore {
  readonly #database: Database;
  readonly #now: () => number;
  #epoch: number | undefined;

  /** `epoch`: the one this process drives under; without, it only follows. */
  constructor(database: Database, now: () => number, epoch?: number) {
    this.#database = database;
    this.#now = now;
    this.#epoch = epoch;
  }

  /** Makes this process the driver: raises the epoch, so that the next write of any earlier driver fails. */
  adopt(): number {
    this.#epoch = this.#database.write(() => {
      const epoch = this.#storedEpoch() + 1;
      this.#database.run(`UPDATE meta SET value = ? WHERE key = 'epoch'`, String(epoch));
      return epoch;
    });
    return this.#epoch;
  }

  commit(transaction: Transaction): { seq: number; revision: number } {
    const { ticket, expect, journal, changes = [] } = transaction;
    const entries = journal.map((entry) => toEntry(this.#database, entry));
    packChanges(this.#database, changes);
    return this.#database.write(() => {
      const epoch = this.#fence();
      const at = this.#now();
      const before = positionOf(this.#database, ticket);
      if (expect && (expect.status !== before.status || expect.revision !== before.revision)) throw new BeadsmithError('STATUS_CONFLICT');
      let tip = tipOf(this.#database, ticket);
      for (const entry of entries) {
        tip = append(this.#database, tip, { ticket, at, epoch }, entry);
        project(this.#database, ticket, tip.seq, entry.value);
      }
      const moves = journal.some((entry) => entry.kind === 'status');
      if (moves) raiseRevision(this.#database, ticket);
      applyChanges(this.#database, ticket, moves ? [{ type: 'ticket', set: {} }, ...changes] : changes, at);
      return { seq: tip.seq, revision: before.revision + Number(moves) };
    });
  }

  createTicket(input: Parameters<Store['createTicket']>[0]): Ticket {
    return this.#database.write(() => insertTicket(this.#database, input, { at: this.#now(), epoch: this.#storedEpoch() }));
  }

  post(entry: Parameters<Store['post']>[0]): InboxEntry {
    const body = inboxBodies[entry.kind].safeParse(entry.body);
    if (!body.success) throw new BeadsmithError('INVALID_INPUT', { what: `"${entry.kind}"`, reason: z.prettifyError(body.error) });
    const stored = this.#database.pack(JSON.stringify(body.data));
    return this.#database.write(() => {
      const earlier = reads.readInboxEntry(this.#database, entry.id);
      if (earlier) return earlier;
      positionOf(this.#database, entry.ticket);
      this.#database.run(
        'INSERT INTO inbox (id, ticket, kind, body, posted_at) VALUES (?, ?, ?, ?, ?)',
        entry.id,
        entry.ticket,
        entry.kind,
        stored,
        this.#now(),
      );
      const filed = reads.readInboxEntry(this.#database, entry.id);
      if (!filed) throw new BeadsmithError('UNEXPECTED', { reason: 'an entry that was just filed is not there' });
      return filed;
    });
  }

  addActive(run: string, key: string, ms: number): void {
    this.#database.write(() => {
      this.#fence();
      this.#database.run(`UPDATE steps SET active_ms = active_ms + ? WHERE run = ? AND key = ? AND state = 'intent'`, ms, run, key);
    });
  }

  ticket(id: string) {
    return readTicket(this.#database, id);
  }

  tickets() {
    return readTickets(this.#database);
  }

  active() {
    return readActive(this.#database);
  }

  summaries(ids?: readonly string[]) {
    return readSummaries(this.#database, ids);
  }

  snapshotParts(ticket: string) {
    return reads.readSnapshotParts(this.#database, ticket);
  }

  run(id: string) {
    return reads.readRun(this.#database, id);
  }

  runs(ticket: string) {
    return reads.readRuns(this.#database, ticket);
  }

  runCount(ticket: string) {
    return reads.countRuns(this.#database, ticket);
  }

  openRun(ticket: string, status: string) {
    return reads.readOpenRun(this.#database, ticket, status);
  }

  pastRuns(ticket: string) {
    return readPastRuns(this.#database, ticket);
  }

  steps(run: string) {
    return reads.readSteps(this.#database, run);
  }

  inbox(ticket: string, filter: { readonly pending?: boolean } = {}) {
    const entries = reads.readInbox(this.#database, ticket, filter.pending === true);
    return filter.pending === false ? entries.filter((entry) => entry.state !== 'pending') : entries;
  }

  artifact(ticket: string, type: string) {
    return reads.readArtifact(this.#database, ticket, type);
  }

  artifacts(ticket: string, filter: { readonly type?: string; readonly archived?: boolean } = {}) {
    return reads.readArtifacts(this.#database, ticket, filter);
  }

  artifactContent(id: number) {
    return reads.readContent(this.#database, id);
  }

  beads(ticket: string) {
    return reads.readBeads(this.#database, ticket);
  }

  sessions(ticket: string) {
    return reads.readSessions(this.#database, ticket);
  }

  calls(ticket: string) {
    return reads.readCalls(this.#database, ticket);
  }

  pastCalls(ticket: string) {
    return readPastCalls(this.#database, ticket);
  }

  pastCall(ticket: string, id: string) {
    return readPastCall(this.#database, ticket, id);
  }

  usage(ticket: string) {
    return reads.readUsage(this.#database, ticket);
  }

  reviewThreads(ticket: string) {
    return readThreads(this.#database, ticket);
  }

  saveReviewThread(thread: ReviewThread): ReviewThread {
    return this.#database.write(() => writeThread(this.#database, thread));
  }

  removeReviewThread(ticket: string, id: string): void {
    this.#database.write(() => deleteThread(this.#database, ticket, id));
  }

  calibration(model: string) {
    return reads.readCalibration(this.#database, model);
  }

  journal(ticket: string, afterSeq = 0) {
    return readJournal(this.#database, ticket, afterSeq);
  }

  milestones(ticket: string, afterSeq = 0) {
    return readMilestones(this.#database, ticket, afterSeq);
  }

  verify(ticket: string) {
    return verifyJournal(this.#database, ticket);
  }

  check() {
    return checkDatabase(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  /** The epoch this process drives under, if the database still says so. */
  #fence(): number {
    const stored = this.#storedEpoch();
    if (stored !== this.#epoch) throw new BeadsmithError('EPOCH_LOST');
    return stored;
  }

  #storedEpoch(): number {
    return Number(Meta.parse(this.#database.get(`SELECT value FROM meta WHERE key = 'epoch'`)).value);
  }
}
