import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { ForgePullRequestReport } from '../domain/beads/reports.ts';
import { BeadsmithError, fromRecord, isLoss, toBeadsmithError } from '../domain/core/errors.ts';
import type { TicketEvent } from '../domain/core/events.ts';
import { type ForgeLook, isSameLook } from '../domain/forge/forgeLook.ts';
import { fullName } from '../domain/forge/forgePlace.ts';
import { threadCount } from '../domain/forge/forgeThread.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import { allowedActions } from '../domain/workflow/availability.ts';
import type { Clock, Forges, LookMemory, RemoteForge } from '../engine/ports/ports.ts';
import type { Store } from '../engine/ports/storePort.ts';
import type { WatchedPullRequest } from '../protocol/api.ts';
import { forgeOf } from '../phases/shared/forgeOf.ts';
import { storedJson } from '../phases/shared/ticket/artifacts.ts';

interface ForgeWatchOptions {
  readonly store: Store;
  readonly events: { on(listener: (event: TicketEvent) => void): Disposable };
  readonly forges: Forges;
  readonly clock: Clock;
  /** The person's setting, which counts at once. */
  readonly isOn: () => boolean;
  readonly log: (message: string) => void;
}

interface Watched {
  memory: LookMemory;
  /** Of the comments, and of the issue. */
  threadMemory: LookMemory;
  issueMemory: LookMemory;
  /** Looks in a row without a change, or with a failure. */
  quiet: number;
  failures: number;
  failure: BeadsmithError | undefined;
  /** By the monotonic clock. */
  due: number;
  lookedAt: number;
  /** The forge wants to be left alone until then. */
  notBefore: number;
  /** Changes that the time since hasn't worn off, and until when there are too many of them. */
  changes: number;
  calmUntil: number;
  /** Of its ticket, as it was told. */
  state: number | undefined;
  /** The ticket came back to its review, so that what is known of it may be out of date. */
  isNew: boolean;
  /** The entry that was filed last, for what, and when. */
  filed: { readonly id: string; readonly look: ForgeLook; readonly at: number } | undefined;
  /** Failed checks that stay as they are, since when, and whether they were filed once more. */
  red: { readonly look: ForgeLook; readonly since: number; isFiled: boolean } | undefined;
}

/** The time between two looks, in milliseconds: from the first to the longest, by this factor. */
const quietly = { first: 60_000, longest: 600_000, factor: 1.5 } as const;
const afterFailures = { first: 120_000, longest: 3_600_000, factor: 2 } as const;
/** Failed checks that were started again and still are the same by then need another answer. */
const redMs = 16 * 60_000;
/** So many changes are filed as they come; then one in this time, as some change to and fro. */
const often = { most: 20, everyMs: 600_000 } as const;
/** Switching between windows looks no more often than this. */
const leastMs = 10_000;
/** Timers may pause while the machine sleeps. */
const napMs = 30_000;
const action = 'check_pull_request';

/**
 * Watches the pull requests of tickets that wait at their review, and has the handler check those that
 * changed (docs/decisions/205-waiting-for-the-forge.md). Only the driver has one; of a team's runners, one.
 */
export class ForgeWatch {
  readonly #options: ForgeWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #looked = new Emitter<string>();
  /** The next look has another time, so that what shows it reads it again. */
  readonly onDidLook = this.#looked.on;
  #listening: Disposable | undefined;
  #wake = new AbortController();
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: ForgeWatchOptions) {
    this.#options = options;
  }

  async start(isWanted: (ticket: string) => boolean): Promise<void> {
    if (this.#running) return;
    this.#listening = this.#options.events.on((event) => {
      if (event.type === 'waiting' || event.type === 'status')
        void this.#consider([event.ticket].filter(isWanted), true);
    });
    this.#running = this.#run();
    await this.#consider((await this.#options.store.active()).filter(isWanted), false);
  }

  /**
   * Watches these tickets from now on, and no others. Other machines may drive them, and tell no events: each
   * has a number that is another one once something was done.
   */
  follow(tickets: ReadonlyMap<string, number>): void {
    const isNew = this.#running !== undefined;
    for (const known of [...this.#watched.keys()]) if (!tickets.has(known)) this.#watched.delete(known);
    for (const [ticket, state] of tickets) {
      const known = this.#watched.get(ticket);
      if (known?.state === state) continue;
      if (!known) this.#wake.abort();
      this.#watched.set(ticket, Object.assign(this.#soon(known) ?? this.#newOne(isNew), { state }));
    }
    this.#running ??= this.#run();
  }

  /** Undefined for a ticket that isn't watched. */
  of(ticket: string): WatchedPullRequest | undefined {
    const found = this.#options.isOn() ? this.#watched.get(ticket) : undefined;
    const { clock } = this.#options;
    return (
      found && { nextAt: clock.now() + Math.max(0, found.due - clock.monotonic()), failure: found.failure }
    );
  }

  /** Looks now, unless it just did, or the forge wants to be left alone. */
  hurry(): void {
    const now = this.#options.clock.monotonic();
    for (const one of this.#watched.values())
      one.due = Math.min(one.due, Math.max(now, one.lookedAt + leastMs, one.notBefore));
    this.#wake.abort();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#listening?.dispose();
    this.#wake.abort();
    await this.#running;
  }

  async #consider(tickets: readonly string[], isNew: boolean): Promise<void> {
    // The database may be busy or gone: the next event comes.
    const summaries = await this.#options.store.summaries(tickets).catch(() => []);
    for (const summary of summaries) {
      if (summary.damaged !== undefined || !allowedActions(summary).includes(action))
        this.#watched.delete(summary.id);
      else this.#watched.set(summary.id, this.#soon(this.#watched.get(summary.id)) ?? this.#newOne(isNew));
    }
    this.#wake.abort();
  }

  /** Something was done, and more may follow. */
  #soon(known: Watched | undefined): Watched | undefined {
    if (!known) return undefined;
    known.quiet = 0;
    if (known.failures === 0) {
      const soon = this.#options.clock.monotonic() + quietly.first;
      known.due = Math.min(known.due, Math.max(soon, known.calmUntil));
    }
    return known;
  }

  #newOne(isNew: boolean): Watched {
    const due = this.#options.clock.monotonic();
    return {
      memory: new Map(),
      threadMemory: new Map(),
      issueMemory: new Map(),
      quiet: 0,
      failures: 0,
      failure: undefined,
      due,
      lookedAt: due - leastMs,
      notBefore: 0,
      changes: 0,
      calmUntil: 0,
      state: undefined,
      isNew,
      filed: undefined,
      red: undefined,
    };
  }

  async #run(): Promise<void> {
    const { clock, isOn } = this.#options;
    while (!this.#ending.signal.aborted) {
      const [next] = [...this.#watched].toSorted(([, a], [, b]) => a.due - b.due);
      const left = next && isOn() ? next[1].due - clock.monotonic() : napMs;
      this.#wake = new AbortController();
      if (next && left <= 0) await this.#look(...next);
      else await clock.sleep(Math.min(left, napMs), this.#wake.signal);
    }
  }

  async #look(ticket: string, one: Watched): Promise<void> {
    const { clock } = this.#options;
    one.changes = Math.max(0, one.changes - (clock.monotonic() - one.lookedAt) / often.everyMs);
    one.lookedAt = clock.monotonic();
    try {
      const isChanged = await this.#hasChanged(ticket, one);
      if (isChanged) one.changes += 1;
      if (isChanged && one.changes > often.most) one.calmUntil = clock.monotonic() + often.everyMs;
      one.quiet = isChanged ? 0 : one.quiet + 1;
      one.failures = 0;
      one.failure = undefined;
      const next = clock.monotonic() + pause(quietly, Math.max(0, one.quiet - 1));
      one.due = Math.max(next, one.calmUntil);
    } catch (thrown) {
      if (isLoss(thrown)) this.#ending.abort();
      if (this.#ending.signal.aborted) return;
      const error = toBeadsmithError(thrown);
      if (one.failure?.code !== error.code)
        this.#options.log(`${ticket}: the pull request can't be checked. ${error.message}`);
      one.failure = error;
      one.failures += 1;
      const { waitMs } = error.diagnostics;
      one.notBefore = clock.monotonic() + (typeof waitMs === 'number' ? waitMs : 0);
      one.due = Math.max(one.notBefore, clock.monotonic() + pause(afterFailures, one.failures - 1));
    }
    this.#looked.emit(ticket);
  }

  /** Files the check of a change. The handler looks itself, and decides. */
  async #hasChanged(ticket: string, one: Watched): Promise<boolean> {
    const { store, forges, clock } = this.#options;
    const filed = await storedJson(
      { ticket, ports: { store } },
      'forge_pull_request',
      ForgePullRequestReport,
    );
    if (!filed || filed.number === null) return false;
    const forge = await forgeOf(forges, filed.repository);
    const { signal } = this.#ending;
    const { look, memory } = await forge.look(filed.number, { memory: one.memory, signal });
    one.memory = memory;
    const stored = await store.ticket(ticket);
    const known = stored?.forge;
    const isKnown =
      known?.repository === filed.repository &&
      isSameLook(known, look) &&
      (await this.#hasSameComments(forge, look, one, known.threads?.sha256)) &&
      (await this.#hasSameIssue(stored, one));
    const refusal = await this.#refusal(ticket, one, look);
    if (refusal && !mayFileAgain(refusal, clock.monotonic() - (one.filed?.at ?? 0))) throw refusal;
    if (isKnown && !one.isNew && !refusal && !this.#isStuck(one, look)) return false;
    one.isNew = false;
    const pending = await store.inbox(ticket, { pending: true });
    if (!pending.some(({ kind }) => kind === action)) {
      const id = clock.randomId();
      await store.post({ id, ticket, kind: action, body: {} });
      one.filed = { id, look, at: clock.monotonic() };
    }
    if (refusal) throw refusal;
    return true;
  }

  /** Nobody waits for comments on what is over. */
  async #hasSameComments(
    forge: RemoteForge,
    { number, state }: ForgeLook,
    one: Watched,
    known: string | undefined,
  ): Promise<boolean> {
    if (state === 'merged' || state === 'closed') return true;
    const options = { memory: one.threadMemory, signal: this.#ending.signal };
    const { threads, memory } = await forge.threads(number, options);
    one.threadMemory = memory;
    return threadCount(threads).sha256 === known;
  }

  /** True also if it can't be seen. */
  async #hasSameIssue(ticket: Ticket | undefined, one: Watched): Promise<boolean> {
    if (!ticket?.origin) return true;
    const { origin, forge } = ticket;
    const options = { id: origin.id, memory: one.issueMemory, signal: this.#ending.signal };
    try {
      const place = await forgeOf(this.#options.forges, fullName(origin));
      const { state, memory } = await place.issueState(origin.number, options);
      one.issueMemory = memory;
      return state === forge?.issue;
    } catch (error) {
      if (error instanceof BeadsmithError) return true;
      throw error;
    }
  }

  /** The handler's failure of the same look: it is filed again, later each time. */
  async #refusal(ticket: string, { filed }: Watched, look: ForgeLook): Promise<BeadsmithError | undefined> {
    if (!filed || !isSameLook(filed.look, look)) return undefined;
    const entry = (await this.#options.store.inbox(ticket)).find(({ id }) => id === filed.id);
    const error = entry?.state === 'refused' ? entry.outcome?.error : undefined;
    return error && fromRecord(error);
  }

  /** True once for failed checks that stay. */
  #isStuck(one: Watched, look: ForgeLook): boolean {
    const { checks } = look;
    const now = this.#options.clock.monotonic();
    if (checks.failed === 0 || checks.pending > 0) one.red = undefined;
    else if (!one.red || !isSameLook(one.red.look, look)) one.red = { look, since: now, isFiled: false };
    if (!one.red || one.red.isFiled || now - one.red.since < redMs) return false;
    one.red.isFiled = true;
    return true;
  }
}

/** False while the forge wants to be left alone. */
function mayFileAgain({ diagnostics }: BeadsmithError, afterMs: number): boolean {
  const { waitMs } = diagnostics;
  return typeof waitMs !== 'number' || afterMs >= waitMs;
}

function pause(
  { first, longest, factor }: { readonly first: number; readonly longest: number; readonly factor: number },
  times: number,
): number {
  return Math.min(longest, first * factor ** times);
}
