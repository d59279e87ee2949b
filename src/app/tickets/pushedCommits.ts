import { Mutex } from '../../base/mutex.ts';
import type { RefHashes, TicketRefs } from '../../adapters/git/mirror/ticketRefs.ts';
import { BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import { because } from '../../domain/forge/forgeReasons.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type {
  CommitPlace,
  CommitPlaces,
  JournalEntry,
  Store,
  Transaction,
} from '../../engine/ports/storePort.ts';
import { tell, tellHold } from '../../engine/run/tell.ts';

interface Parts extends Pick<Ports, 'clock' | 'events'> {
  readonly store: Store;
  readonly places: CommitPlaces;
  /** In a place. */
  readonly refs: (
    url: string,
  ) => Promise<Pick<TicketRefs, 'remote' | 'here' | 'there' | 'claim' | 'push' | 'takeStrays'>>;
}

/** Entries that may name a commit. */
const naming: readonly JournalEntry['kind'][] = ['step.note', 'step.done'];
/** Milliseconds before another try; the last one repeats while the remote is away. */
const pausesMs = [1_000, 5_000, 15_000, 60_000];
/** A remote that refuses may have been busy. */
const mostRefusals = 3;
/** Each is a push of a runner that lost the ticket meanwhile. */
const mostRaces = 5;

/**
 * A store for drives of a team: before a transaction that may name a commit, the ticket's commits are on the
 * remote (docs/decisions/219-commits-before-receipts.md). Handlers don't know.
 */
export class PushedCommits {
  readonly store: Store;
  readonly #parts: Parts;
  readonly #turns = new Mutex();
  readonly #pushed = new Map<string, RefHashes>();
  readonly #places = new Map<string, CommitPlace>();
  readonly #away = new Set<string>();
  readonly #ending = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
    // In turn, as the store promises: what follows may rely on what is being pushed.
    const commit: Store['commit'] = (transaction) =>
      this.#turns.run(transaction.ticket, async () => {
        if (transaction.journal.some(({ kind }) => naming.includes(kind)))
          await this.#push(transaction.ticket);
        return parts.store.commit(transaction);
      });
    this.store = { ...parts.store, commit };
  }

  /** Ends waits for the remote: drives end where they are, and lose nothing. */
  stop(): void {
    this.#ending.abort();
  }

  /** True while the ticket waits for the remote. */
  isAway(ticket: string): boolean {
    return this.#away.has(ticket);
  }

  /** Asks again where the commits go, and what is there. Call it for a ticket that others may have driven. */
  forget(ticket: string): void {
    this.#pushed.delete(ticket);
    this.#places.delete(ticket);
  }

  /**
   * Resolves when the remote has the ticket's commits; waits while it is away. Throws PUSH_REFUSED,
   * EPOCH_LOST for a ticket that another runner has by now, and FORGE_UNREACHABLE when stopped.
   */
  push(ticket: string): Promise<void> {
    return this.#turns.run(ticket, () => this.#push(ticket));
  }

  async #push(ticket: string): Promise<void> {
    const since = this.#parts.clock.now();
    let refusals = 0;
    for (let tries = 0; ; tries += 1) {
      try {
        await this.#pushOnce(ticket);
        if (tries > 0) this.#say(ticket, 'The remote has the commits now.');
        if (tries > 0) await this.#hold(ticket, since, null);
        return;
      } catch (thrown) {
        const error = toBeadsmithError(thrown);
        this.forget(ticket);
        if (error.code === 'PUSH_REFUSED') refusals += 1;
        else if (error.code !== 'FORGE_UNREACHABLE') throw error;
        if (this.#ending.signal.aborted) throw error;
        if (refusals >= mostRefusals) {
          await this.#hold(ticket, since, null);
          throw error;
        }
        const ms = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0;
        await this.#pause(ticket, error, { since, ms });
      }
    }
  }

  async #pause(
    ticket: string,
    error: BeadsmithError,
    { since, ms }: { readonly since: number; readonly ms: number },
  ): Promise<void> {
    const text = `${error.message} Nothing continues before the commits of ${ticket} are there. Next try in ${String(ms / 1_000)} s.`;
    this.#say(ticket, text);
    await this.#hold(ticket, since, { until: this.#parts.clock.now() + ms, detail: text });
    this.#away.add(ticket);
    await this.#parts.clock.sleep(ms, this.#ending.signal);
    this.#away.delete(ticket);
  }

  /** For people on any machine. Another wait, such as a question, stays the one that is shown. */
  async #hold(
    ticket: string,
    since: number,
    wait: { readonly until: number; readonly detail: string } | null,
  ): Promise<void> {
    const { store } = this.#parts;
    const current = await store.ticket(ticket);
    const isOwn =
      current?.hold === null || (current?.hold.kind === 'offline' && current.hold.since === since);
    if (current && isOwn && !isTerminal(current.status)) {
      const hold = wait && { kind: 'offline' as const, since, ...wait };
      await store.commit({ ticket, journal: [], changes: [{ type: 'ticket', set: { hold } }] });
    }
    tellHold(this.#parts, ticket, wait && 'offline', wait?.detail, wait?.until ?? null);
  }

  async #pushOnce(ticket: string): Promise<void> {
    const place = this.#places.get(ticket) ?? (await this.#parts.places.of(ticket));
    this.#places.set(ticket, place);
    const refs = await this.#parts.refs(place.wanted);
    for (let races = 0; ; races += 1) {
      const here = await refs.here(ticket);
      if (here.size === 0) return;
      const there = this.#pushed.get(ticket);
      if (there && isIn(here, there)) return;
      const known = there ?? (await refs.there(ticket));
      const updates = [...here].flatMap(([ref, to]) =>
        known.get(ref) === to ? [] : [{ ref, to, from: known.get(ref) }],
      );
      if (updates.length === 0) return this.#note(ticket, place, known);
      await this.#fence(ticket);
      const claim = await refs.claim(ticket, known);
      const stale = await refs.push([claim, ...updates]);
      if (stale.length === 0)
        return this.#note(ticket, place, new Map([...known, ...here, [claim.ref, claim.to]]));
      this.#pushed.delete(ticket);
      // A runner that has lost the ticket never comes further than this.
      await this.#fence(ticket);
      const now = await refs.there(ticket);
      const isStray = ([ref, hash]: readonly [string, string]): boolean =>
        ref !== claim.ref && known.get(ref) !== hash && here.get(ref) !== hash;
      await refs.takeStrays(ticket, new Map([...now].filter(isStray)));
      this.#pushed.set(ticket, now);
      if (races < mostRaces) continue;
      const why = because('pushedMeanwhile');
      throw new BeadsmithError('PUSH_REFUSED', { branch: ticket, remote: refs.remote, ...why });
    }
  }

  /** Only a place that has all of the ticket becomes its place. */
  async #note(ticket: string, { now, wanted }: CommitPlace, there: RefHashes): Promise<void> {
    if (now !== wanted) await this.#parts.places.settle(ticket, wanted);
    this.#places.set(ticket, { now: wanted, wanted });
    this.#pushed.set(ticket, there);
  }

  /** Throws EPOCH_LOST unless the ticket is this runner's. */
  async #fence(ticket: string): Promise<void> {
    const nothing: Transaction = { ticket, journal: [], changes: [] };
    await this.#parts.store.commit(nothing);
  }

  #say(ticket: string, text: string): void {
    tell({ ports: this.#parts, ticket }, text);
  }
}

function isIn(here: RefHashes, there: RefHashes): boolean {
  return [...here].every(([ref, hash]) => there.get(ref) === hash);
}
