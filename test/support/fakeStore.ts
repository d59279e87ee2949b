import { sha256 } from '../../src/base/sha256.ts';
import type { ArtifactInfo, ArtifactType } from '../../src/domain/artifacts.ts';
import type { Bead } from '../../src/domain/beads/bead.ts';
import type { InboxEntry } from '../../src/domain/inbox.ts';
import type { Usage } from '../../src/domain/promptPlan.ts';
import type { Ticket, TicketSnapshot } from '../../src/domain/ticket.ts';
import type { CallRow, Change, SessionRow, Store, Transaction } from '../../src/engine/ports/storePort.ts';

/** What handlers see of a database, for one ticket, in memory. What belongs to the engine alone (runs, steps, journal) isn't here. */
export class FakeStore implements Store {
  ticketRow: Ticket;
  readonly artifactRows: { info: ArtifactInfo; content: string }[] = [];
  beadRows: readonly Bead[] = [];
  readonly sessionRows = new Map<string, SessionRow>();
  readonly callRows = new Map<string, CallRow>();
  readonly usageRows = new Map<string, Usage & { run: string }>();
  readonly inboxRows: InboxEntry[] = [];

  constructor(ticket: Ticket) {
    this.ticketRow = ticket;
  }

  /** Applies changes as a transaction would. */
  apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change);
  }

  #applyOne(change: Change): void {
    switch (change.type) {
      case 'ticket':
        this.ticketRow = { ...this.ticketRow, ...change.set };
        break;
      case 'artifact':
        this.put(change.artifact, change.content, change.status, change.attempt);
        break;
      case 'artifacts.archive':
        for (const row of this.artifactRows) {
          const { status, type } = row.info;
          if (change.statuses.includes(status) && !change.keep?.some((kept) => kept === type)) row.info = { ...row.info, archived: true };
        }
        break;
      case 'beads':
        this.beadRows = change.beads;
        break;
      case 'bead':
        this.beadRows = this.beadRows.map((bead) => (bead.id === change.id ? { ...bead, ...change.set } : bead));
        break;
      case 'session':
        this.sessionRows.set(change.session.id, change.session);
        break;
      case 'session.state': {
        const row = this.sessionRows.get(change.id);
        if (row) this.sessionRows.set(change.id, { ...row, state: change.state });
        break;
      }
      case 'call':
        this.callRows.set(change.call.id, change.call);
        break;
      case 'usage':
        this.usageRows.set(change.usage.messageId, { ...change.usage, run: change.run });
        break;
      case 'inbox': {
        const index = this.inboxRows.findIndex((row) => row.id === change.id);
        const row = this.inboxRows[index];
        if (row) this.inboxRows[index] = { ...row, state: change.state, outcome: change.outcome };
        break;
      }
    }
  }

  /** Files an artifact as if an earlier status had. */
  put(type: ArtifactType, content: string, status: ArtifactInfo['status'] = 'DRAFT', attempt = 1): void {
    const version = this.artifactRows.filter((row) => row.info.type === type).length + 1;
    const info: ArtifactInfo = {
      id: this.artifactRows.length + 1,
      ticket: this.ticketRow.id,
      type,
      status,
      attempt,
      version,
      sha256: sha256(content),
      bytes: content.length,
      createdAt: 0,
      archived: false,
    };
    this.artifactRows.push({ info, content });
  }

  /** The present content of an artifact; fails when there is none. */
  content(type: ArtifactType): string {
    const found = this.artifactRows.findLast((row) => row.info.type === type && !row.info.archived);
    if (!found) throw new Error(`There is no artifact ${type}`);
    return found.content;
  }

  async commit(transaction: Transaction): Promise<{ seq: number; revision: number }> {
    this.apply(transaction.changes ?? []);
    return { seq: 0, revision: this.ticketRow.revision };
  }

  async ticket(): Promise<Ticket> {
    return this.ticketRow;
  }

  async tickets(): Promise<readonly Ticket[]> {
    return [this.ticketRow];
  }

  async snapshotParts(): Promise<TicketSnapshot['artifacts']> {
    const current = this.artifactRows.filter((row) => !row.info.archived);
    return Object.fromEntries(current.map(({ info }) => [info.type, { sha256: info.sha256, version: info.version }]));
  }

  async artifact(_ticket: string, type: ArtifactType): Promise<{ info: ArtifactInfo; content: string } | undefined> {
    return this.artifactRows.findLast((row) => row.info.type === type && !row.info.archived);
  }

  async artifacts(_ticket: string, filter: { type?: string; archived?: boolean } = {}): Promise<readonly ArtifactInfo[]> {
    return this.artifactRows
      .map((row) => row.info)
      .filter((info) => filter.type === undefined || info.type === filter.type)
      .filter((info) => filter.archived === undefined || info.archived === filter.archived);
  }

  async artifactContent(id: number): Promise<string | undefined> {
    return this.artifactRows.find((row) => row.info.id === id)?.content;
  }

  async beads(): Promise<readonly Bead[]> {
    return this.beadRows;
  }

  async inbox(_ticket: string, filter: { pending?: boolean } = {}): Promise<readonly InboxEntry[]> {
    return this.inboxRows.filter((row) => filter.pending !== true || row.state === 'pending');
  }

  async sessions(): Promise<readonly SessionRow[]> {
    return [...this.sessionRows.values()];
  }

  async calls(): Promise<readonly CallRow[]> {
    return [...this.callRows.values()];
  }

  async usage(): Promise<readonly (Usage & { run: string })[]> {
    return [...this.usageRows.values()];
  }

  async calibration(): Promise<readonly { estimated: number; reported: number }[]> {
    return [];
  }

  createTicket = absent;
  post = absent;
  addActive = absent;
  run = absent;
  runs = absent;
  runCount = absent;
  openRun = absent;
  active = absent;
  summaries = absent;
  pastRuns = absent;
  pastCalls = absent;
  pastCall = absent;
  milestones = absent;
  reviewThreads = absent;
  saveReviewThread = absent;
  removeReviewThread = absent;
  steps = absent;
  journal = absent;
  verify = absent;
  check = absent;
  onDidChange(): { dispose(): void } {
    return { dispose: () => undefined };
  }
  async close(): Promise<void> {}
}

function absent(): Promise<never> {
  return Promise.reject(new Error('Handlers do not ask for this.'));
}
