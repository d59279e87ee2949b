import type { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { pushedBranchRef, refToRead, ticketOfBranch } from '../../domain/core/ids.ts';
import type { DiffReader, DiffScope, DiffView } from '../../protocol/review.ts';
import { type DiffGit, TicketDiffs } from './ticketDiffs.ts';

/**
 * Fetches a team's commits of a ticket into a person's clone: from `origin`, or the address that the team
 * named. Answers the newest one of its branch there, or undefined. Branches, worktree, `FETCH_HEAD` and the
 * refs of this clone's own tickets stay as they are. Throws FORGE_UNREACHABLE, PUSH_REFUSED where it can't be
 * used.
 */
export async function fetchTicketRefs(
  git: Pick<GitAdapter, 'ticketRefs'>,
  ticket: string,
  url = '',
): Promise<string | undefined> {
  return (await git.ticketRefs(url)).fetchToRead(ticket);
}

/** A clone's git for `TicketDiffs`, in which a ticket's refs are those that were fetched to be read. */
export function pushedDiffGit(git: DiffGit): DiffGit {
  return {
    resolve: (revision) => git.resolve(toRead(revision)),
    compare: (from, to) => git.compare(from, to),
    blob: (commit, path) => git.blob(commit, path),
    diff: (place, from, to) => git.diff(place, from, to),
    mergeBase: (place, a, b) => git.mergeBase(place, a, b),
    treeOf: (commit) => git.treeOf(commit),
    writeTree: (worktree) => git.writeTree(worktree),
    stagedTree: (worktree) => git.stagedTree(worktree),
  };
}

function toRead(revision: string): string {
  const ticket = ticketOfBranch(revision.replace(/^refs\/heads\//, ''));
  return refToRead(ticket === undefined ? revision : pushedBranchRef(ticket));
}

/** Milliseconds in which a ticket's commits aren't fetched again. */
const freshMs = 3_000;

/** The changes of a team's tickets, by the commits that their runners pushed. */
export class PushedDiffs implements DiffReader {
  readonly #git: Pick<GitAdapter, 'ticketRefs'>;
  readonly #placeOf: (ticket: string) => Promise<string>;
  readonly #diffs: TicketDiffs;
  readonly #fetched = new Map<string, { readonly at: number; readonly done: Promise<unknown> }>();

  constructor(
    store: ConstructorParameters<typeof TicketDiffs>[0],
    git: DiffGit & Pick<GitAdapter, 'ticketRefs'>,
    { root, placeOf }: { readonly root: string; readonly placeOf: (ticket: string) => Promise<string> },
  ) {
    this.#git = git;
    this.#placeOf = placeOf;
    this.#diffs = new TicketDiffs(store, pushedDiffGit(git), root);
  }

  /** Undefined also for what only the runner's worktree has. */
  async diff(ticket: string, scope: DiffScope): Promise<DiffView | undefined> {
    if (scope.kind === 'worktree' || scope.kind === 'staged') return undefined;
    const fetched = await this.#fetch(ticket);
    try {
      return await this.#diffs.diff(ticket, scope);
    } catch (error) {
      // Without the remote, what was fetched before is shown as far as it goes.
      throw fetched ?? error;
    }
  }

  async file(ticket: string, commit: string, path: string): Promise<Uint8Array | undefined> {
    return this.#diffs.file(ticket, commit, path);
  }

  /** Answers why the commits couldn't be fetched. */
  async #fetch(ticket: string): Promise<unknown> {
    const known = this.#fetched.get(ticket);
    if (known && performance.now() - known.at < freshMs) return known.done;
    const done = this.#placeOf(ticket)
      .then((url) => fetchTicketRefs(this.#git, ticket, url))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    this.#fetched.set(ticket, { at: performance.now(), done });
    return done;
  }
}
