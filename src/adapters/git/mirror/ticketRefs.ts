import { pushedBranchRef, refToRead, TicketId, ticketBranch, ticketRefs } from '../../../domain/core/ids.ts';
import { startRef } from '../commits/ownBranch.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import type { Remotes, RefUpdate } from '../cli/remotes.ts';
import type { Revisions } from '../cli/revisions.ts';

/** Hashes by the names that refs have on the remote. */
export type RefHashes = ReadonlyMap<string, string>;

interface Parts {
  readonly cli: GitCli;
  readonly revisions: Revisions;
  readonly remotes: Remotes;
}

const remote = 'origin';
/** Of one command line. */
const mostAtOnce = 200;

/** A ticket's commits on the team's remote, `origin` (docs/decisions/219-commits-before-receipts.md). */
export class TicketRefs {
  readonly #parts: Parts;
  readonly #place: Place;

  constructor(parts: Parts, place: Place) {
    this.#parts = parts;
    this.#place = place;
  }

  /** What the remote has to have of a ticket. */
  async here(ticket: string): Promise<RefHashes> {
    const id = TicketId.parse(ticket);
    const branch = branchOf(id);
    const args = ['for-each-ref', '--format=%(objectname) %(refname)', ticketRefs(id), branch];
    const lines = (await this.#parts.cli.text(this.#place, ...args)).split('\n');
    return new Map(
      lines.flatMap((line) => {
        const [hash = '', ref = ''] = line.split(' ');
        // What came from there with the last fetch.
        if (ref === '' || ref === pushedBranchRef(id)) return [];
        return [[ref === branch ? pushedBranchRef(id) : ref, hash] as const];
      }),
    );
  }

  /** Throws FORGE_UNREACHABLE, PUSH_REFUSED. */
  there(ticket: string): Promise<RefHashes> {
    return this.#parts.remotes.refs(this.#place, remote, ticketRefs(TicketId.parse(ticket)));
  }

  /** Answers the refs that had another value than expected. Throws FORGE_UNREACHABLE, PUSH_REFUSED. */
  async push(updates: readonly RefUpdate[]): Promise<readonly string[]> {
    const stale: string[] = [];
    for (let at = 0; at < updates.length; at += mostAtOnce)
      stale.push(
        ...(await this.#parts.remotes.pushRefs(this.#place, {
          remote,
          updates: updates.slice(at, at + mostAtOnce),
        })),
      );
    return stale;
  }

  /**
   * Takes over what others pushed; what only this clone has stays, as a stray where it is in the way. The
   * branch doesn't move: answers its hash there, or undefined.
   */
  async take(ticket: string): Promise<string | undefined> {
    const id = TicketId.parse(ticket);
    const [own, branch] = [ticketRefs(id), pushedBranchRef(id)];
    const there = await this.there(id);
    for (const [ref, hash] of await this.here(id))
      if (ref !== branch && (there.get(ref) ?? hash) !== hash) await this.keepStray(id, hash);
    if (there.size > 0) await this.#parts.remotes.fetchRefs(this.#place, remote, [`+${own}*:${own}*`]);
    return there.get(branch);
  }

  /** Fetches them beside this clone's own; answers the branch's hash. */
  async fetchToRead(ticket: string): Promise<string | undefined> {
    const own = ticketRefs(TicketId.parse(ticket));
    const there = await this.there(ticket);
    const refspec = `+${own}*:${refToRead(own)}*`;
    if (there.size > 0) await this.#parts.remotes.fetchRefs(this.#place, remote, [refspec]);
    return there.get(pushedBranchRef(ticket));
  }

  /** Keeps a commit that is in the way of another one. */
  async keepStray(ticket: string, hash: string): Promise<void> {
    await this.#parts.revisions.updateOwn(this.#place, strayRef(ticket, hash), hash);
  }

  /** Keeps what another runner pushed under these refs. */
  async takeStrays(ticket: string, strays: RefHashes): Promise<void> {
    const refspecs = [...strays].map(([ref, hash]) => `+${ref}:${strayRef(ticket, hash)}`);
    if (refspecs.length > 0) await this.#parts.remotes.fetchRefs(this.#place, remote, refspecs);
  }

  /** The commit where the branch began; undefined if nobody knows. */
  start(ticket: string): Promise<string | undefined> {
    return this.#parts.revisions.find(this.#place, startRef(TicketId.parse(ticket)));
  }

  /** Makes the branch here, or moves it where it is behind. */
  async setBranch(ticket: string, to: string): Promise<void> {
    await this.#parts.revisions.updateOwn(this.#place, branchOf(TicketId.parse(ticket)), to);
  }
}

/** As of commits that an agent made elsewhere. */
function strayRef(ticket: string, hash: string): string {
  return `${ticketRefs(TicketId.parse(ticket))}worktree/stray-${hash.slice(0, 12)}`;
}

function branchOf(id: TicketId): string {
  return `refs/heads/${ticketBranch(id)}`;
}
