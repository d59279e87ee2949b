import { sha256 } from '../../base/sha256.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { ArtifactType } from '../../domain/ticket/artifacts.ts';
import { attemptRef } from '../../domain/core/ids.ts';
import { BeadCommit, IntegrationReport } from '../../domain/beads/reports.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Git } from '../../engine/ports/ports.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import { readJson } from '../../phases/shared/ticket/artifacts.ts';
import type { DiffFile, DiffReader, DiffScope, DiffView } from '../../protocol/review.ts';
import { knownTicket } from './ticketView.ts';

interface Range {
  readonly from: string;
  readonly to: string;
  readonly sha256?: string;
  readonly conflicts?: readonly string[];
}

/** The reads of a diff. */
export type DiffGit = Pick<
  Git,
  'resolve' | 'compare' | 'blob' | 'diff' | 'mergeBase' | 'treeOf' | 'writeTree' | 'stagedTree'
>;

/** From commits and git objects. Only uncommitted work needs the worktree, which stays as it is. */
export class TicketDiffs implements DiffReader {
  readonly #store: Pick<Store, 'ticket' | 'beads' | 'artifact'>;
  readonly #git: DiffGit;
  readonly #root: string;

  constructor(store: Pick<Store, 'ticket' | 'beads' | 'artifact'>, git: DiffGit, root: string) {
    this.#store = store;
    this.#git = git;
    this.#root = root;
  }

  async diff(id: string, scope: DiffScope): Promise<DiffView | undefined> {
    const range = await this.#range(await knownTicket(this.#store, id), scope);
    if (!range) return undefined;
    const { from, to } = range;
    const [files, hash] = await Promise.all([
      this.#git.compare(from, to),
      range.sha256 ?? this.#hash(from, to),
    ]);
    const view = { scope, from, to, sha256: hash };
    const { conflicts = [] } = range;
    return conflicts.length === 0 ? { ...view, files } : { ...view, ...withConflicts(files, conflicts) };
  }

  async file(id: string, commit: string, path: string): Promise<Uint8Array | undefined> {
    await knownTicket(this.#store, id);
    return this.#git.blob(commit, path);
  }

  async #hash(from: string, to: string): Promise<string> {
    return sha256(await this.#git.diff(this.#root, from, to));
  }

  async #range(ticket: Ticket, scope: DiffScope): Promise<Range | undefined> {
    switch (scope.kind) {
      case 'ticket':
        return this.#whole(ticket);
      case 'worktree':
        return scope.since === 'staged' ? this.#unstaged(ticket) : this.#uncommitted(ticket);
      case 'staged':
        return this.#staged(ticket);
      case 'bead':
        return (await this.#finished(ticket, scope.bead)) ?? this.#newestAttempt(ticket, scope.bead);
      case 'iteration': {
        const bead = await this.#bead(ticket, scope.bead);
        const finished =
          bead?.iteration === scope.iteration ? await this.#finished(ticket, scope.bead) : undefined;
        return (
          finished ??
          (await this.#atWork(ticket, scope)) ??
          this.#attempt(ticket, scope.bead, scope.iteration)
        );
      }
    }
  }

  async #whole(ticket: Ticket): Promise<Range | undefined> {
    if (ticket.branch === null || ticket.baseCommit === null) return undefined;
    const report = await this.#stored(ticket, 'integration_report', IntegrationReport);
    const to = (await this.#git.resolve(`refs/heads/${ticket.branch}`)) ?? report?.candidate;
    if (to === undefined) return undefined;
    const from = report?.candidate === to ? report.mergeBase : ticket.baseCommit;
    return from === to ? undefined : { from, to };
  }

  async #uncommitted(ticket: Ticket): Promise<Range | undefined> {
    const last = await this.#last(ticket);
    const range = last === undefined ? undefined : await this.#onDisk(ticket, last);
    return range && ticket.baseCommit !== null ? { ...range, from: ticket.baseCommit } : undefined;
  }

  /** An agent may commit by itself; all since the start of its bead is uncommitted work. */
  async #last({ id, branch, baseCommit }: Ticket): Promise<string | undefined> {
    if (branch === null || baseCommit === null) return undefined;
    const coded = (await this.#store.beads(id)).find(({ status }) => status === 'in_progress');
    return coded?.beadStartCommit ?? this.#git.resolve(`refs/heads/${branch}`);
  }

  async #staged(ticket: Ticket): Promise<Range | undefined> {
    const from = await this.#last(ticket);
    const index = from === undefined ? undefined : await this.#index(ticket);
    if (from === undefined || !index || index.tree === (await this.#git.treeOf(from))) return undefined;
    return { from, to: index.tree, sha256: '' };
  }

  async #unstaged(ticket: Ticket): Promise<Range | undefined> {
    const { worktree, branch, baseCommit } = ticket;
    if (worktree === null || branch === null || baseCommit === null) return undefined;
    const index = await this.#index(ticket);
    const to = index && (await unlessLost(this.#git.writeTree(worktree)));
    if (!index || to === undefined) return undefined;
    const { tree, conflicts } = index;
    return to === tree && conflicts.length === 0 ? undefined : { from: tree, to, sha256: '', conflicts };
  }

  async #index({ worktree }: Ticket): Promise<Awaited<ReturnType<DiffGit['stagedTree']>> | undefined> {
    return worktree === null ? undefined : unlessLost(this.#git.stagedTree(worktree));
  }

  /** Undefined if it isn't at work, or changed nothing. */
  async #atWork(
    ticket: Ticket,
    { bead: id, iteration }: Extract<DiffScope, { kind: 'iteration' }>,
  ): Promise<Range | undefined> {
    const bead = (await this.#store.beads(ticket.id)).find((one) => one.id === id);
    const isAtWork = bead?.status === 'in_progress' && bead.iteration === iteration;
    const from = isAtWork ? bead.beadStartCommit : null;
    return from === null ? undefined : this.#onDisk(ticket, from);
  }

  /** From a commit to the files of the worktree; undefined if it is gone, or has the same files. */
  async #onDisk({ worktree }: Ticket, from: string): Promise<Range | undefined> {
    const to = worktree === null ? undefined : await unlessLost(this.#git.writeTree(worktree));
    if (to === undefined || to === (await this.#git.treeOf(from))) return undefined;
    return { from, to, sha256: '' };
  }

  async #finished(ticket: Ticket, id: string): Promise<Range | undefined> {
    const bead = await this.#bead(ticket, id);
    if (bead?.status !== 'done' || bead.beadStartCommit === null) return undefined;
    const [commit, diff] = await Promise.all([
      this.#stored(ticket, `bead_commit:${id}`, BeadCommit),
      this.#store.artifact(ticket.id, `bead_diff:${id}`),
    ]);
    if (!commit) return undefined;
    return {
      from: bead.beadStartCommit,
      to: commit.commit ?? bead.beadStartCommit,
      ...(diff ? { sha256: diff.info.sha256 } : {}),
    };
  }

  async #newestAttempt(ticket: Ticket, id: string): Promise<Range | undefined> {
    const bead = await this.#bead(ticket, id);
    for (let iteration = bead?.iteration ?? 0; iteration > 0; iteration -= 1) {
      const attempt = await this.#attempt(ticket, id, iteration);
      if (attempt) return attempt;
    }
    return undefined;
  }

  /** From the iteration's own start commit. */
  async #attempt(ticket: Ticket, id: string, iteration: number): Promise<Range | undefined> {
    const bead = await this.#bead(ticket, id);
    const start = bead?.beadStartCommit ?? ticket.baseCommit;
    if (!bead || start === null) return undefined;
    const to = await this.#git.resolve(attemptRef(ticket.id, bead.id, iteration));
    return to === undefined ? undefined : { from: await this.#git.mergeBase(this.#root, start, to), to };
  }

  async #bead(ticket: Ticket, id: string) {
    return (await this.#store.beads(ticket.id)).find((bead) => bead.id === id);
  }

  async #stored<T>(
    ticket: Ticket,
    type: ArtifactType,
    schema: Parameters<typeof readJson<T>>[0],
  ): Promise<T | undefined> {
    return readJson(schema, (await this.#store.artifact(ticket.id, type))?.content);
  }
}

/** Undefined if the worktree is gone. */
async function unlessLost<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof BeadsmithError && error.code === 'WORKTREE_LOST') return undefined;
    throw error;
  }
}

/** A file may be in conflict and on the disk as in HEAD. */
function withConflicts(
  files: readonly DiffFile[],
  conflicts: readonly string[],
): Pick<DiffView, 'files' | 'conflicts'> {
  const more = conflicts
    .filter((path) => !files.some((file) => file.path === path))
    .map((path): DiffFile => ({ path, oldPath: null, change: 'modified', binary: false }));
  return { files: [...files, ...more], conflicts };
}
