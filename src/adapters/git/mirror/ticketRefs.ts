import { BeadsmithError } from '../../../domain/core/errors.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';
import {
  pushedBranchRef,
  refToRead,
  startRef,
  TicketId,
  ticketBranch,
  ticketRefs,
} from '../../../domain/core/ids.ts';
import { randomUUID } from 'node:crypto';
import type { GitParts } from '../commits/ownBranch.ts';
import type { Place } from '../cli/gitCli.ts';
import type { Led, Remotes, RefUpdate } from '../cli/remotes.ts';

/** Hashes by the names that refs have on the remote. */
export type RefHashes = ReadonlyMap<string, string>;

interface Parts extends Pick<GitParts, 'cli' | 'revisions' | 'commits'> {
  readonly remotes: Remotes;
}

/**
 * A ticket as others left it. `tip`: of its branch. `isElsewhere`: another clone had its worktree last.
 */
export interface Taken {
  readonly tip: string;
  readonly isElsewhere: boolean;
}

/** Of one command line. */
const mostAtOnce = 200;
/** Each is a push of the runner that had the ticket. */
const mostRaces = 5;

/**
 * A ticket's commits on the team's remote, `origin`, or in the repository that the team named for them
 * (docs/decisions/219-commits-before-receipts.md).
 */
export class TicketRefs {
  readonly #parts: Parts;
  readonly #place: Place;
  readonly #led: Led;

  private constructor(parts: Parts, place: Place, led: Led) {
    this.#parts = parts;
    this.#place = place;
    this.#led = led;
  }

  /**
   * Goes where the remote leads now, or to a named address, and nowhere else. Throws PUSH_REFUSED,
   * INVALID_INPUT.
   */
  static async open(parts: Parts, place: Place, url: string): Promise<TicketRefs> {
    const { remotes } = parts;
    const led = url === '' ? await remotes.led(place, 'origin') : await remotes.named(place, url);
    return new TicketRefs(parts, place, led);
  }

  /** As people know it. */
  get remote(): string {
    return this.#led.remote;
  }

  /** All that the remote has to have of a ticket. */
  async here(ticket: string): Promise<RefHashes> {
    const id = TicketId.parse(ticket);
    const branch = branchOf(id);
    const args = ['for-each-ref', '--format=%(objectname) %(refname)', ticketRefs(id), branch];
    const lines = (await this.#parts.cli.text(this.#place, ...args)).split('\n');
    return new Map(
      lines.flatMap((line) => {
        const [hash = '', ref = ''] = line.split(' ');
        // What came from there with the last fetch.
        if (ref === '' || ref === pushedBranchRef(id) || ref === claimRef(id)) return [];
        return [[ref === branch ? pushedBranchRef(id) : ref, hash] as const];
      }),
    );
  }

  /** Throws FORGE_UNREACHABLE, PUSH_REFUSED. */
  there(ticket: string): Promise<RefHashes> {
    return this.#parts.remotes.refs(this.#place, this.#led, ticketRefs(TicketId.parse(ticket)));
  }

  /**
   * Changes with each push of a ticket, and together with what it pushes. So a runner whose ticket was taken
   * over meanwhile expects the wrong one, even if it slept since it was told that the ticket is its own.
   */
  async claim(ticket: string, there: RefHashes): Promise<RefUpdate> {
    const id = TicketId.parse(ticket);
    const { cli, commits } = this.#parts;
    // Without files. Standard input has to have something in it.
    const { stdout } = await cli.run(this.#place, { args: ['mktree', '--batch'], input: '\n' });
    const message = `A push of ${id}, ${randomUUID()}`;
    const made = { tree: stdout.trim(), parents: [], message, internal: true };
    const to = await commits.make(this.#place, made);
    return { ref: claimRef(id), to, from: there.get(claimRef(id)) };
  }

  /**
   * Answers the refs that had another value than expected; nothing more is pushed then. The first one goes
   * along with all others. Throws FORGE_UNREACHABLE, PUSH_REFUSED.
   */
  async push(updates: readonly RefUpdate[]): Promise<readonly string[]> {
    const [first] = updates;
    for (let at = 0; first && at < updates.length; at += mostAtOnce) {
      const some = updates.slice(at, at + mostAtOnce);
      const fenced = at === 0 ? some : [{ ...first, from: first.to }, ...some];
      const stale = await this.#parts.remotes.pushRefs(this.#place, this.#led, fenced);
      if (stale.length > 0) return stale;
    }
    return [];
  }

  /**
   * Takes over what others pushed; what only this clone has stays, as a stray where it is in the way. The
   * branch doesn't move. Undefined if nothing is there. `isLeft`: nobody looks there any more, so that late
   * pushes are no matter.
   */
  async take(ticket: string, isLeft = false): Promise<Taken | undefined> {
    const id = TicketId.parse(ticket);
    const [own, branch, place] = [ticketRefs(id), pushedBranchRef(id), placeRef(id)];
    const here = await this.here(id);
    const there = await (isLeft ? this.there(id) : this.#fenced(id));
    const tip = there.get(branch);
    if (tip === undefined) return undefined;
    for (const [ref, hash] of here)
      if (ref !== branch && ref !== place && (there.get(ref) ?? hash) !== hash)
        await this.keepStray(id, hash);
    // Not the place, so that a take-over that is cut off is repeated.
    await this.#parts.remotes.fetchRefs(this.#place, this.#led, [`+${own}*:${own}*`, `^${place}`]);
    return { tip, isElsewhere: there.get(place) !== here.get(place) };
  }

  /** Ends the pushes of the runner that had the ticket; nothing changes after what is answered. */
  async #fenced(id: TicketId): Promise<RefHashes> {
    for (let races = 0; races < mostRaces; races += 1) {
      const there = await this.there(id);
      if (there.size === 0) return there;
      const claim = await this.claim(id, there);
      if ((await this.push([claim])).length === 0) return new Map([...there, [claim.ref, claim.to]]);
    }
    throw new BeadsmithError('PUSH_REFUSED', {
      branch: id,
      remote: this.#led.remote,
      ...because('pushedMeanwhile'),
    });
  }

  /** Notes that this clone has the ticket's worktree from now on. Others see it with the next push. */
  async takePlace(ticket: string, tip: string): Promise<void> {
    const { commits, revisions } = this.#parts;
    const tree = await revisions.tree(this.#place, tip);
    const message = `The worktree of ${ticket}, ${randomUUID()}`;
    const commit = await commits.make(this.#place, { tree, parents: [], message, internal: true });
    await revisions.updateOwn(this.#place, placeRef(TicketId.parse(ticket)), commit);
  }

  /** Fetches them beside this clone's own; answers the branch's hash. */
  async fetchToRead(ticket: string): Promise<string | undefined> {
    const own = ticketRefs(TicketId.parse(ticket));
    const there = await this.there(ticket);
    const refspec = `+${own}*:${refToRead(own)}*`;
    if (there.size > 0) await this.#parts.remotes.fetchRefs(this.#place, this.#led, [refspec]);
    return there.get(pushedBranchRef(ticket));
  }

  /** Keeps a commit that is in the way of another one. */
  async keepStray(ticket: string, hash: string): Promise<void> {
    await this.#parts.revisions.updateOwn(this.#place, strayRef(ticket, hash), hash);
  }

  /** Keeps what another runner pushed under these refs. */
  async takeStrays(ticket: string, strays: RefHashes): Promise<void> {
    const refspecs = [...strays].map(([ref, hash]) => `+${ref}:${strayRef(ticket, hash)}`);
    if (refspecs.length > 0) await this.#parts.remotes.fetchRefs(this.#place, this.#led, refspecs);
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

function claimRef(id: TicketId): string {
  return `${ticketRefs(id)}worktree/claim`;
}

/** A commit that only one clone made. */
function placeRef(id: TicketId): string {
  return `${ticketRefs(id)}worktree/place`;
}

/** As of commits that an agent made elsewhere. */
function strayRef(ticket: string, hash: string): string {
  return `${ticketRefs(TicketId.parse(ticket))}worktree/stray-${hash.slice(0, 12)}`;
}

function branchOf(id: TicketId): string {
  return `refs/heads/${ticketBranch(id)}`;
}
