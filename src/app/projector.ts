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
import { rowOf } from '../domain/workflow/workflow.ts';
import type { Clock, TicketFiles } from '../engine/ports/ports.ts';
import type { Change, Store } from '../engine/ports/storePort.ts';
import { ticketEvidence } from '../phases/shared/proof/ticketEvidence.ts';

interface ProjectorOptions {
  readonly store: Store;
  readonly files: TicketFiles;
  readonly clock: Clock;
  /** Writing must not recreate a removed worktree. */
  readonly isWorktree: (path: string) => boolean;
  readonly onProject?: (ticket: Ticket) => void;
}

const unshown: readonly Change['type'][] = [
  'session',
  'session.state',
  'call',
  'usage',
  'inbox',
  'dismissal',
];

const pauseMs = 500;

/**
 * Projects the database into `.ticket/` (docs/decisions/047-documents-and-projections.md). It compares with
 * what it wrote, so a crash loses nothing. Failures are in `lastError`, and retried at the next change.
 */
export class Projector {
  readonly #options: ProjectorOptions;
  /** SHA-256 by worktree and path. */
  readonly #written = new Map<string, string>();
  readonly #due = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #current = new Map<string, { readonly worktree: string; readonly isThere: boolean }>();
  readonly #ended = new AbortController();
  #working: Promise<void> | undefined;
  /** In turn, so that nothing older is written later. */
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
    for (const id of await this.#options.store.active()) this.#look(id);
  }

  async stop(): Promise<void> {
    this.#watch?.dispose();
    this.#ended.abort();
    await this.#working;
    await this.#inTurn();
  }

  /** `changes`: default: anything. */
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

  /** A worktree may come and go without a change of the ticket. */
  #isCurrent(id: string): boolean {
    const current = this.#current.get(id);
    return current !== undefined && this.#options.isWorktree(current.worktree) === current.isThere;
  }

  async project(id: string): Promise<void> {
    const { store } = this.#options;
    const ticket = await store.ticket(id);
    if (ticket) this.#options.onProject?.(ticket);
    // Nothing is written during cleanup.
    if (!ticket?.worktree || rowOf(ticket.status).handler === 'cleanup') return;
    if (!this.#options.isWorktree(ticket.worktree)) {
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
    // Agents read it too.
    await this.#options.files.write(worktree, path, withoutSecretsInText(text));
    this.#written.set(key, hash);
  }
}

/** A plan's flow: the base branch as a folder name (docs/decisions/025-bead-plan.md). */
export function flowOf(ticket: Pick<Ticket, 'baseBranch'>): string {
  const name = (ticket.baseBranch ?? '').replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\.+/, '');
  return name === '' ? 'main' : name;
}

/** Rows are current; stored versions may be outdated. */
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
