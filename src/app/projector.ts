import { stringify } from 'yaml';
import { withoutSecretsInText } from '../base/outputSecrets.ts';
import { sha256 } from '../base/sha256.ts';
import { type ArtifactInfo, projectionOf } from '../domain/ticket/artifacts.ts';
import type { Bead } from '../domain/beads/bead.ts';
import { outcomeOf } from '../domain/beads/outcome.ts';
import { documentKinds, documentOf, documentOfType } from '../domain/documents/documents.ts';
import { descriptionFile, isLongDescription } from '../domain/description/longDescription.ts';
import { writeText } from '../domain/documents/base/text.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import { isTerminal, rowOf } from '../domain/workflow/workflow.ts';
import type { Clock, TicketFiles } from '../engine/ports/ports.ts';
import type { Change, Store } from '../engine/ports/storePort.ts';
import { ticketEvidence } from './tickets/ticketEvidence.ts';

interface ProjectorOptions {
  readonly store: Store;
  readonly files: TicketFiles;
  readonly clock: Clock;
  /** Checks whether a worktree is still there: a removed one is never made again by writing into it. */
  readonly isWorktree: (path: string) => boolean;
  /** Called with each ticket that is checked. */
  readonly onProject?: (ticket: Ticket) => void;
}

/** The kinds of change that no projected file shows: those of steps and calls, which are the most. */
const unshown: readonly Change['type'][] = [
  'session',
  'session.state',
  'call',
  'usage',
  'inbox',
  'dismissal',
];

/** Changes come in bursts; two checks of a ticket are at least this far apart. */
const pauseMs = 500;

/**
 * Writes what the database says into `.ticket/` of the worktree, for people and tools
 * (docs/decisions/047-documents-and-projections.md). Nobody else does: a document is there soon after its
 * commit, and never before. It compares what should be there with what it wrote, so it needs no list of what
 * is to be done and a crash loses nothing: the next process writes everything once more. Failures are not the
 * ticket's: they end up in `lastError` and are tried again with the next change.
 */
export class Projector {
  readonly #options: ProjectorOptions;
  /** The content that was written, by worktree and path: its SHA-256. */
  readonly #written = new Map<string, string>();
  readonly #due = new Set<string>();
  /** Tickets of which something changed that is shown. */
  readonly #changed = new Set<string>();
  /** The worktree of each ticket that is up to date, and whether it was there. */
  readonly #current = new Map<string, { readonly worktree: string; readonly isThere: boolean }>();
  readonly #ended = new AbortController();
  #working: Promise<void> | undefined;
  /** One after the other: what was read earlier may not be written later. */
  #turn: Promise<void> = Promise.resolve();
  #watch: { dispose(): void } | undefined;
  lastError: unknown;

  constructor(options: ProjectorOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#watch = this.#options.store.onDidChange((ticket, _cause, changes) => {
      if (ticket !== undefined) this.#look(ticket, changes);
    });
    for (const { id, status } of await this.#options.store.summaries())
      if (!isTerminal(status)) this.#look(id);
  }

  /** Writes what is due and ends. */
  async stop(): Promise<void> {
    this.#watch?.dispose();
    this.#ended.abort();
    await this.#working;
    await this.#inTurn();
  }

  /** `changes`: all that changed; default: anything may have. */
  #look(ticket: string, changes?: readonly Change['type'][]): void {
    this.#due.add(ticket);
    if (changes?.every((change) => unshown.includes(change)) !== true) this.#changed.add(ticket);
    this.#working ??= this.#workLater();
  }

  async #workLater(): Promise<void> {
    await this.#options.clock.sleep(pauseMs, this.#ended.signal);
    this.#working = undefined;
    await this.#inTurn();
  }

  #inTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#work());
    return this.#turn;
  }

  async #work(): Promise<void> {
    const due = [...this.#due];
    this.#due.clear();
    for (const id of due) {
      if (!this.#changed.delete(id) && this.#isCurrent(id)) continue;
      this.#current.delete(id);
      try {
        await this.project(id);
      } catch (error) {
        this.lastError = error;
      }
    }
  }

  /** Checks whether nothing can be out of date. A worktree may come and go without a change of the ticket. */
  #isCurrent(id: string): boolean {
    const current = this.#current.get(id);
    return current !== undefined && this.#options.isWorktree(current.worktree) === current.isThere;
  }

  /** Brings `.ticket/` of one ticket up to date. */
  async project(id: string): Promise<void> {
    const { store } = this.#options;
    const ticket = await store.ticket(id);
    if (ticket) this.#options.onProject?.(ticket);
    // While a worktree is being cleaned up or removed, nothing is put into it.
    if (!ticket?.worktree || rowOf(ticket.status).handler === 'cleanup') return;
    if (!this.#options.isWorktree(ticket.worktree)) {
      // One that is made again has none of it.
      for (const key of this.#written.keys())
        if (key.startsWith(`${ticket.worktree}\n`)) this.#written.delete(key);
      this.#current.set(id, { worktree: ticket.worktree, isThere: false });
      return;
    }
    const beads = await store.beads(id);
    const artifacts = await store.artifacts(id);
    const flow = flowOf(ticket);
    for (const [path, content] of [
      ['.ticket/meta/ticket.meta.json', pretty(metaOf(ticket))],
      ['.ticket/runtime/state.yaml', stringify(stateOf(ticket, beads))],
      ...(isLongDescription(ticket.description) ? [[descriptionFile, ticket.description] as const] : []),
      ...(beads.length > 0 ? rowDocuments(beads, flow) : []),
    ] as const)
      await this.#write(ticket.worktree, path, sha256(content), () => Promise.resolve(content));
    const proofs = artifacts.filter(({ type }) => type.startsWith('commit_evidence:'));
    if (proofs.length > 0) {
      const stamp = sha256(proofs.map((info) => info.sha256).join());
      await this.#write(ticket.worktree, '.ticket/evidence.json', stamp, async () =>
        pretty(await ticketEvidence(store, ticket)),
      );
    }
    for (const [path, info] of documentsOf(artifacts, flow))
      await this.#write(ticket.worktree, path, info.sha256, () => store.artifactContent(info.id));
    this.#current.set(id, { worktree: ticket.worktree, isThere: true });
  }

  async #write(
    worktree: string,
    path: string,
    hash: string,
    content: () => Promise<string | undefined>,
  ): Promise<void> {
    const key = `${worktree}\n${path}`;
    if (this.#written.get(key) === hash) return;
    const text = await content();
    if (text === undefined) return;
    // Agents read it too, also what was left out of their prompts.
    await this.#options.files.write(worktree, path, withoutSecretsInText(text));
    this.#written.set(key, hash);
  }
}

/** The flow of a plan: the base branch, as a folder name (docs/decisions/025-bead-plan.md). */
export function flowOf(ticket: Pick<Ticket, 'baseBranch'>): string {
  const name = (ticket.baseBranch ?? '').replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\.+/, '');
  return name === '' ? 'main' : name;
}

/** Documents whose current version is rows: a stored version may be out of date. */
function rowDocuments(
  beads: readonly Bead[],
  flow: string,
): readonly (readonly [path: string, content: string])[] {
  return documentKinds.flatMap((kind) => {
    const { rows, format } = documentOf(kind);
    const path = rows && projectionOf(kind, flow);
    return path === undefined ? [] : [[path, writeText(format, beads)] as const];
  });
}

/** The current version of each projected artifact, and every approval. */
function documentsOf(artifacts: readonly ArtifactInfo[], flow: string): Map<string, ArtifactInfo> {
  const documents = new Map<string, ArtifactInfo>();
  for (const info of artifacts) {
    const path = documentOfType(info.type)?.rows ? undefined : projectionOf(info.type, flow);
    if (path !== undefined && !info.archived) documents.set(path, info);
    if (info.type === 'approval_receipt')
      documents.set(
        `.ticket/approvals/${String(info.version).padStart(2, '0')}-${info.status.toLowerCase()}.json`,
        info,
      );
  }
  return documents;
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function metaOf(ticket: Ticket): unknown {
  const { id, title, description, priority, createdAt, baseBranch, baseCommit, branch, startedAt, settings } =
    ticket;
  return {
    schema_version: 1,
    externalId: id,
    title,
    description,
    priority,
    createdAt: new Date(createdAt).toISOString(),
    baseBranch,
    baseCommit,
    branch,
    startedAt: startedAt === null ? null : new Date(startedAt).toISOString(),
    lockedMainImplementer: settings?.mainImplementer ?? null,
    lockedCouncilMembers: settings?.councilMembers ?? [],
    settings,
  };
}

function stateOf(ticket: Ticket, beads: readonly Bead[]): unknown {
  return {
    schema_version: 1,
    ticket: ticket.id,
    status: ticket.status,
    label: rowOf(ticket.status).label,
    previous_status: ticket.previousStatus,
    attempts: ticket.attempts,
    hold: ticket.hold?.kind ?? null,
    error: ticket.error?.code ?? null,
    beads: { done: beads.filter((bead) => bead.status === 'done').length, total: beads.length },
    outcome: outcomeOf(beads),
    updated_at: new Date(ticket.updatedAt).toISOString(),
  };
}
