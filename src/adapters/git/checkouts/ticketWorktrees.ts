import { lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { startRef, TicketId, ticketBranch, ticketBranches } from '../../../domain/core/ids.ts';
import { branchRef, listWorktrees, type RepositoryParts, unregister } from '../commits/ownBranch.ts';
import type { LeftFiles } from './resetWorktree.ts';
import type { ListedWorktree } from '../cli/parseGit.ts';
import { none } from '../cli/revisions.ts';
import { fillWorktree } from '../worktrees/fillWorktree.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import { ensureTicketFolder, type OwnWorktree } from '../worktrees/worktreePlaces.ts';
import { exists, reasonOf, lstatAt } from '../../system/files.ts';

export interface WorktreeRequest {
  readonly ticket: string;
  readonly branch: string;
  readonly commit: string;
  /** Moves away a folder in its place that is no worktree. */
  readonly setAside?: boolean;
}

export interface AddedWorktree {
  readonly path: string;
  readonly aside?: string;
}

export class TicketWorktrees {
  readonly #parts: RepositoryParts;
  readonly #left: LeftFiles;

  constructor(parts: RepositoryParts, left: LeftFiles) {
    this.#parts = parts;
    this.#left = left;
  }

  async pathOf(ticket: string): Promise<string> {
    if (!TicketId.safeParse(ticket).success)
      throw new BeadsmithError('INVALID_INPUT', { what: 'The ticket id', reason: ticket });
    return (await this.#find(ticket)).path;
  }

  async add(request: WorktreeRequest): Promise<AddedWorktree> {
    const ticket = TicketId.safeParse(request.ticket);
    if (!ticket.success || request.branch !== ticketBranch(ticket.data)) {
      const reason = `${request.branch} isn't the branch of ${request.ticket}.`;
      throw new BeadsmithError('INVALID_INPUT', { what: 'The branch', reason });
    }
    const start = await this.#parts.revisions.commit(this.#parts.main, request.commit);
    return this.#parts.locked(async () => {
      const { path, listed } = await this.#find(ticket.data);
      try {
        return await this.#addAt(path, ticket.data, { start, listed, setAside: request.setAside ?? false });
      } catch (error) {
        if (!(error instanceof BeadsmithError))
          throw new BeadsmithError('WORKTREE_FAILED', { path, reason: reasonOf(error) }, { cause: error });
        if (error.code !== 'GIT_FAILED') throw error;
        const reason = plainReason(error.args['reason'] ?? '');
        throw new BeadsmithError('WORKTREE_FAILED', { path, reason }, { cause: error });
      }
    });
  }

  async remove(worktree: string): Promise<string | null> {
    const path = resolve(worktree);
    return this.#parts.locked(async () => {
      const own = await this.#parts.places.own(path).catch(async (error: unknown) => {
        if (error instanceof BeadsmithError && error.code === 'WORKTREE_LOST' && !(await exists(path)))
          return undefined;
        throw error;
      });
      let left: string | null = null;
      if (own && (await exists(join(own.gitDir, 'index')))) {
        await this.#parts.branch.keepChanges(own, 'removed', await this.#parts.branch.attach(own), {
          leaves: false,
        });
        left = await this.#left.take(own, 'all');
      }
      await this.#unregister(own?.path ?? path);
      await rmdir(dirname(path)).catch(() => undefined);
      return left;
    });
  }

  async #find(
    ticket: string,
  ): Promise<{ readonly path: string; readonly listed: ListedWorktree | undefined }> {
    const listed = (await listWorktrees(this.#parts)).find(
      ({ path }) => this.#parts.places.isOurs(path) && basename(path) === ticket,
    );
    return { path: listed?.path ?? join(await this.#parts.places.folder(), ticket), listed };
  }

  async #addAt(
    path: string,
    ticket: TicketId,
    { start, listed, setAside }: { start: string; listed: ListedWorktree | undefined; setAside: boolean },
  ): Promise<AddedWorktree> {
    const own =
      (await this.#parts.places.own(path).catch(() => undefined)) ?? (await this.#takeMoved(path, ticket));
    // git locks a worktree while it creates it, and a killed git leaves the lock.
    const complete =
      own !== undefined && (listed?.locked !== true || (await exists(join(own.gitDir, 'index'))));
    const isOccupied = !complete && !(await isUntouched(path));
    if (isOccupied && !setAside) throw new BeadsmithError('WORKTREE_EXISTS', { path });
    await this.#claimBranch(ticket, start);
    if (complete) return this.#finish(own);
    const aside = isOccupied ? await moveAside(path) : undefined;
    await rm(path, { recursive: true, force: true });
    if (listed) await this.#unregister(path);
    await this.#parts.places.prepareFolder(dirname(path));
    try {
      const args = ['worktree', 'add', '--no-checkout', '--', path, ticketBranch(ticket)];
      await this.#parts.cli.run(this.#parts.main, { args });
      const added = await this.#finish(await this.#parts.places.own(path));
      return aside === undefined ? added : { ...added, aside };
    } catch (error) {
      if (await isUntouched(path)) await rm(path, { recursive: true, force: true });
      await this.#unregister(path).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Repairs a worktree that was moved with its repository: links lead to its previous place, where nothing
   * is.
   */
  async #takeMoved(path: string, ticket: TicketId): Promise<OwnWorktree | undefined> {
    if (!(await exists(join(path, '.git')))) return undefined;
    const before = (await listWorktrees(this.#parts)).find(
      ({ branch }) => branch !== null && `refs/heads/${branch}` === branchRef(ticket),
    );
    if (!before || basename(before.path) !== ticket || (await exists(before.path))) return undefined;
    await this.#parts.cli.run(this.#parts.main, { args: ['worktree', 'repair', '--', path] });
    return this.#parts.places.own(path).catch(() => undefined);
  }

  /** Fills in the files and an ignored `.ticket/`. Fine to repeat. */
  async #finish(own: OwnWorktree): Promise<{ readonly path: string }> {
    if (!(await exists(join(own.gitDir, 'index')))) {
      await this.#parts.cli.run(placeOf(own), { args: ['reset', '--hard', '--quiet'] });
      await fillWorktree(this.#parts.cli, own, this.#parts.main.cwd);
    }
    await ensureTicketFolder(own.path);
    return { path: own.path };
  }

  /** Creates the branch, or proves that it began at `start`. Throws BRANCH_EXISTS. */
  async #claimBranch(ticket: TicketId, start: string): Promise<void> {
    const tip = await this.#parts.revisions.find(this.#parts.main, branchRef(ticket));
    if (tip === undefined) {
      try {
        await this.#parts.revisions.update(this.#parts.main, startRef(ticket), start);
        await this.#parts.revisions.update(this.#parts.main, branchRef(ticket), start, none);
      } catch (error) {
        // git keeps no branch below another one.
        const above = await this.#parts.revisions.find(this.#parts.main, `refs/heads/${ticketBranches}`);
        throw above === undefined
          ? error
          : new BeadsmithError('BRANCH_EXISTS', { branch: ticketBranches }, { cause: error });
      }
      return;
    }
    const marked = await this.#parts.revisions.find(this.#parts.main, startRef(ticket));
    if (marked === start && (await this.#parts.revisions.isAncestor(this.#parts.main, start, tip))) return;
    throw new BeadsmithError('BRANCH_EXISTS', { branch: ticketBranch(ticket) });
  }

  async #unregister(path: string): Promise<void> {
    if (!this.#parts.places.isOurs(path)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    await unregister(this.#parts, path);
  }
}

async function moveAside(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.left-${number}`;
    if (await exists(aside)) continue;
    await rename(path, aside);
    return aside;
  }
}

/** True if there is no folder, or only the link that git creates first. */
async function isUntouched(folder: string): Promise<boolean> {
  const found = await lstatAt(folder);
  if (!found) return true;
  if (!found.isDirectory()) return false;
  const names = await readdir(folder);
  return (
    names.length === 0 ||
    (names.length === 1 && names[0] === '.git' && (await lstat(join(folder, '.git'))).isFile())
  );
}

function plainReason(reason: unknown): string {
  const text = String(reason);
  if (!/[Ff]ile ?name too long/.test(text)) return text;
  return 'a path of the repository is too long below that folder. Move the repository to a folder with a shorter path.';
}
