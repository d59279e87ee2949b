import { lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { TicketId, ticketBranch } from '../../../domain/core/ids.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { branchRef, startRef } from '../commits/ownBranch.ts';
import type { OwnBranch } from '../commits/ownBranch.ts';
import type { LeftFiles } from '../worktrees/leftFiles.ts';
import { parseWorktrees } from '../cli/parseGit.ts';
import type { ListedWorktree } from '../cli/parseGit.ts';
import { none } from '../cli/revisions.ts';
import type { Revisions } from '../cli/revisions.ts';
import { fillWorktree } from '../worktrees/fillWorktree.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import { ensureIgnored, type OwnWorktree, type WorktreePlaces } from '../worktrees/worktreePlaces.ts';

export interface WorktreeRequest {
  readonly ticket: string;
  readonly branch: string;
  readonly commit: string;
  /** True to move away a folder in its place that is no worktree. */
  readonly setAside?: boolean;
}

/** A worktree that is there now. `aside`: where the folder is that was in its place. */
export interface AddedWorktree {
  readonly path: string;
  readonly aside?: string;
}

/**
 * Runs one change at a time to the list of worktrees of a repository, over all processes: git's own
 * bookkeeping breaks when worktrees are added and removed side by side (docs/decisions/012-git-calls.md).
 * Throws GIT_LOCKED when it has to wait too long.
 */
type Locked = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Creates, takes over, repairs and removes the worktrees of tickets. git runs in the person's own checkout,
 * and changes no file there.
 */
export class TicketWorktrees {
  readonly #cli: GitCli;
  readonly #main: Place;
  readonly #places: WorktreePlaces;
  readonly #revisions: Revisions;
  readonly #branch: OwnBranch;
  readonly #left: LeftFiles;
  readonly #locked: Locked;

  constructor(parts: {
    cli: GitCli;
    main: Place;
    places: WorktreePlaces;
    revisions: Revisions;
    branch: OwnBranch;
    left: LeftFiles;
    locked: Locked;
  }) {
    this.#cli = parts.cli;
    this.#main = parts.main;
    this.#places = parts.places;
    this.#revisions = parts.revisions;
    this.#branch = parts.branch;
    this.#left = parts.left;
    this.#locked = parts.locked;
  }

  /** Returns the path of a ticket's worktree, whether it exists yet or not. */
  async pathOf(ticket: string): Promise<string> {
    if (!TicketId.safeParse(ticket).success)
      throw new BeadsmithError('INVALID_INPUT', { what: 'The ticket id', reason: ticket });
    return (await this.#find(ticket)).path;
  }

  async list(): Promise<readonly ListedWorktree[]> {
    const { stdout } = await this.#cli.run(this.#main, { args: ['worktree', 'list', '--porcelain', '-z'] });
    return parseWorktrees(stdout);
  }

  async add(request: WorktreeRequest): Promise<AddedWorktree> {
    const ticket = TicketId.safeParse(request.ticket);
    if (!ticket.success || request.branch !== ticketBranch(ticket.data)) {
      throw new BeadsmithError('INVALID_INPUT', {
        what: 'The branch',
        reason: `${request.branch} isn't the branch of ${request.ticket}.`,
      });
    }
    const start = await this.#revisions.commit(this.#main, request.commit);
    return this.#locked(async () => {
      const { path, listed } = await this.#find(ticket.data);
      try {
        return await this.#addAt(path, ticket.data, { start, listed, setAside: request.setAside ?? false });
      } catch (error) {
        if (!(error instanceof BeadsmithError))
          throw new BeadsmithError('WORKTREE_FAILED', { path, reason: reasonOf(error) }, { cause: error });
        if (error.code !== 'GIT_FAILED') throw error;
        throw new BeadsmithError(
          'WORKTREE_FAILED',
          { path, reason: plainReason(error.args['reason'] ?? '') },
          { cause: error },
        );
      }
    });
  }

  async remove(worktree: string): Promise<string | null> {
    const path = resolve(worktree);
    return this.#locked(async () => {
      const own = await this.#places.own(path).catch(async (error: unknown) => {
        if (error instanceof BeadsmithError && error.code === 'WORKTREE_LOST' && !(await exists(path)))
          return undefined;
        throw error;
      });
      let left: string | null = null;
      if (own && (await exists(join(own.gitDir, 'index')))) {
        await this.#branch.keepChanges(own, 'removed', await this.#branch.attach(own), { leaves: false });
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
    const listed = (await this.list()).find(
      ({ path }) => this.#places.isOurs(path) && basename(path) === ticket,
    );
    return { path: listed?.path ?? join(await this.#places.folder(), ticket), listed };
  }

  async #addAt(
    path: string,
    ticket: TicketId,
    {
      start,
      listed,
      setAside,
    }: { readonly start: string; readonly listed: ListedWorktree | undefined; readonly setAside: boolean },
  ): Promise<AddedWorktree> {
    const own =
      (await this.#places.own(path).catch(() => undefined)) ?? (await this.#takeMoved(path, ticket));
    // git locks a worktree while it creates one, and a killed git leaves that lock. The person may lock one
    // too.
    const complete =
      own !== undefined && (listed?.locked !== true || (await exists(join(own.gitDir, 'index'))));
    const isOccupied = !complete && !(await isUntouched(path));
    if (isOccupied && !setAside) throw new BeadsmithError('WORKTREE_EXISTS', { path });
    await this.#claimBranch(ticket, start);
    if (complete) return this.#finish(own);
    const aside = isOccupied ? await moveAside(path) : undefined;
    await rm(path, { recursive: true, force: true });
    if (listed) await this.#unregister(path);
    await this.#places.prepareFolder(dirname(path));
    try {
      await this.#cli.run(this.#main, {
        args: ['worktree', 'add', '--no-checkout', '--', path, ticketBranch(ticket)],
      });
      const added = await this.#finish(await this.#places.own(path));
      return aside === undefined ? added : { ...added, aside };
    } catch (error) {
      if (await isUntouched(path)) await rm(path, { recursive: true, force: true });
      await this.#unregister(path).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The worktree that was moved together with its repository: git has it in its previous place, where nothing
   * is now, and its links lead there. They are set right, and what lies in it stays.
   */
  async #takeMoved(path: string, ticket: TicketId): Promise<OwnWorktree | undefined> {
    if (!(await exists(join(path, '.git')))) return undefined;
    const before = (await this.list()).find(
      ({ branch }) => branch !== null && `refs/heads/${branch}` === branchRef(ticket),
    );
    if (!before || basename(before.path) !== ticket || (await exists(before.path))) return undefined;
    await this.#cli.run(this.#main, { args: ['worktree', 'repair', '--', path] });
    return this.#places.own(path).catch(() => undefined);
  }

  /** The files, and a `.ticket/` that even `git add --all` of an agent leaves alone. Fine to repeat. */
  async #finish(own: OwnWorktree): Promise<{ readonly path: string }> {
    if (!(await exists(join(own.gitDir, 'index')))) {
      await this.#cli.run(placeOf(own), { args: ['reset', '--hard', '--quiet'] });
      await fillWorktree(this.#cli, own, this.#main.cwd);
    }
    await ensureTicketFolder(own.path);
    return { path: own.path };
  }

  /**
   * Creates the ticket's branch, or proves that the existing one started as this ticket's at this commit.
   * Throws BRANCH_EXISTS.
   */
  async #claimBranch(ticket: TicketId, start: string): Promise<void> {
    const tip = await this.#revisions.find(this.#main, branchRef(ticket));
    if (tip === undefined) {
      try {
        await this.#revisions.update(this.#main, startRef(ticket), start);
        await this.#revisions.update(this.#main, branchRef(ticket), start, none);
      } catch (error) {
        // git keeps no branch below another one.
        const above = await this.#revisions.find(this.#main, 'refs/heads/ticket');
        throw above === undefined
          ? error
          : new BeadsmithError('BRANCH_EXISTS', { branch: 'ticket' }, { cause: error });
      }
      return;
    }
    const marked = await this.#revisions.find(this.#main, startRef(ticket));
    if (marked === start && (await this.#revisions.isAncestor(this.#main, start, tip))) return;
    throw new BeadsmithError('BRANCH_EXISTS', { branch: ticketBranch(ticket) });
  }

  /**
   * `remove` unregisters only this worktree; `prune` would also forget those on disks that aren't mounted.
   */
  async #unregister(path: string): Promise<void> {
    if (!this.#places.isOurs(path)) throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
    if (!(await this.list()).some((entry) => entry.path === path)) return;
    await this.#cli.run(this.#main, { args: ['worktree', 'remove', '--force', '--force', '--', path] });
  }
}

/** `.ticket/` with a rule that ignores all of it. Throws OUTSIDE_WORKTREE if it is a link or a file. */
export async function ensureTicketFolder(worktree: string): Promise<void> {
  await ensureIgnored(join(worktree, '.ticket'));
}

/** Moves what is in a worktree's place beside it, under the first name that is free. */
async function moveAside(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.left-${String(number)}`;
    if (await exists(aside)) continue;
    await rename(path, aside);
    return aside;
  }
}

/**
 * Checks whether a folder holds no work: it doesn't exist, or has only the link that git creates before the
 * files.
 */
async function isUntouched(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return true;
  if (!found.isDirectory()) return false;
  const names = await readdir(folder);
  return (
    names.length === 0 ||
    (names.length === 1 && names[0] === '.git' && (await lstat(join(folder, '.git'))).isFile())
  );
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** git's own words, but for what a person can't act on. */
function plainReason(reason: unknown): string {
  const text = String(reason);
  if (!/[Ff]ile ?name too long/.test(text)) return text;
  return 'a path of the repository is too long below that folder. Move the repository to a folder with a shorter path.';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
