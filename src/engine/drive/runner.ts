import { startOfNextDay } from '../../base/days.ts';
import { Mutex } from '../../base/mutex.ts';
import { BeadsmithError, isStoreError, passes, toBeadsmithError } from '../../domain/core/errors.ts';
import type { InboxEntry } from '../../domain/ticket/inbox.ts';
import { Limits } from '../../domain/settings/settings.ts';
import { type Hold, isHeldByStep, type Ticket, type TicketSnapshot } from '../../domain/ticket/ticket.ts';
import { isBudgetError, isOfDay } from '../../domain/usage/budgets.ts';
import { definitionOf, type PreparedMove } from '../../domain/workflow/actions.ts';
import { allowedActions, refusalOf } from '../../domain/workflow/availability.ts';
import { interrupts, isTakenByEngine, moveOf, runStatus } from '../../domain/documents/moves.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { isTerminal, rowOf, type Status } from '../../domain/workflow/workflow.ts';
import type { RunJournal } from '../journal/runJournal.ts';
import {
  actionTransition,
  blockTransition,
  consumed,
  endOfHold,
  exitTransition,
  type HandlerResult,
  pauseTransition,
  refused,
} from '../journal/transition.ts';
import type { Ports } from '../ports/ports.ts';
import type { Transaction } from '../ports/storePort.ts';
import { refuseAltered } from '../run/alteredRows.ts';
import { JournaledRun } from '../run/journaledRun.ts';
import type { HandlerDefinition, Handlers, StageMachine } from '../run/run.ts';
import { tell, tellBlocked, tellHold } from '../run/tell.ts';
import {
  RunControl,
  RunStopped,
  newScope,
  openScope,
  type RunScope,
  unaskedKeys,
  StepsAtWork,
} from '../run/runScope.ts';
import { type ActionChanges, controlTransaction, refusal } from './control.ts';
import { Slots, waitForSlot } from './slots.ts';

/** The behaviour of statuses. */
export interface Behaviour {
  readonly handlers: Handlers;
  readonly stages: StageMachine;
  /** Work before such a move (docs/decisions/003-retry-continue-and-cancel.md). */
  readonly prepared: { readonly [A in PreparedMove]: HandlerDefinition<string> };
  readonly changes: ActionChanges;
}

/** Milliseconds before another try on a full disk or a locked database. */
const diskPauseMs = 5_000;
/** Milliseconds of a full disk after which another machine may continue. */
const diskFullMs = 60_000;

/** The reason to be idle. */
export type IdleState =
  | { readonly state: 'terminal' | 'blocked' | 'held' | 'stopped' }
  | { readonly state: 'waiting'; readonly kinds: readonly string[]; readonly until: number | undefined };

/** Runs one ticket until it can't continue or the process stops. */
export class Runner {
  readonly #ports: Ports;
  readonly #behaviour: Behaviour;
  readonly #id: string;
  readonly #slots: Slots;
  readonly #leaves: boolean;
  #control = new RunControl();
  readonly #receipts = new Mutex();
  readonly #interruptedByStore = new Set<string>();
  #stopped = false;
  #leftUntil: number | undefined;
  /** By the monotonic clock; undefined while there is space. */
  #fullSince: number | undefined;
  #isAside = false;
  /** The request of a prepared move stays unread while it is carried out, and must not interrupt itself. */
  #preparing = false;

  /** `leaves`: long waits for a time end the drive (docs/decisions/218-drives-on-a-queue.md). */
  constructor(ports: Ports, behaviour: Behaviour, ticket: string, slots = new Slots(1), leaves = false) {
    this.#ports = ports;
    this.#slots = slots;
    this.#leaves = leaves;
    this.#behaviour = behaviour;
    this.#id = ticket;
  }

  stop(): void {
    this.#stopped = true;
    this.#control.stop('stop');
  }

  /** Waits for a person, who was asked by an agent. */
  get isAside(): boolean {
    return this.#isAside;
  }

  /** Throws EPOCH_LOST and lasting database errors; everything else becomes the ticket's state. */
  async run(): Promise<IdleState> {
    this.#fullSince = undefined;
    const watch = this.#ports.store.onDidChange((changed, cause) => {
      // Commits of this process add nothing to the inbox, and there are many.
      if (cause === 'commit') return;
      if (changed === undefined || changed === this.#id) void this.#interruptForControl();
    });
    try {
      for (;;) {
        if (this.#stopped) return { state: 'stopped' };
        this.#leftUntil = undefined;
        const idle = await this.#advanceOnDisk();
        if (idle) return idle;
        const until = this.#leaving();
        if (until !== undefined) return { state: 'waiting', kinds: [], until };
      }
    } finally {
      watch.dispose();
      this.#isAside = false;
      this.#slots.release(this.#id);
    }
  }

  async #advanceOnDisk(): Promise<IdleState | undefined> {
    try {
      const idle = await this.#advance();
      this.#fullSince = undefined;
      return idle;
    } catch (error) {
      return this.#waitForStore(error);
    }
  }

  /** Waits for the disk or a locked database. Throws every other error. */
  async #waitForStore(error: unknown): Promise<IdleState | undefined> {
    if (!(error instanceof BeadsmithError) || !passes(error)) throw error;
    const ofDisk = error.code === 'DISK_FULL' || error.code === 'DATABASE_IO';
    const { clock } = this.#ports;
    if (ofDisk) tellHold(this.#ports, this.#id, 'disk', error.message);
    const isFull = error.code === 'DISK_FULL';
    const isHeld = isFull && (await this.#holdForDisk(error.message));
    this.#fullSince ??= isHeld ? clock.monotonic() : undefined;
    const fullMs = clock.monotonic() - (this.#fullSince ?? Infinity);
    if (this.#leaves && isHeld && fullMs >= diskFullMs) {
      tell({ ports: this.#ports, ticket: this.#id }, 'A machine with space may continue.');
      return { state: 'waiting', kinds: [], until: clock.now() + diskPauseMs };
    }
    await clock.sleep(diskPauseMs, this.#control.signal);
    return undefined;
  }

  /**
   * A team's database is on another machine, and people on others see the hold there. False if it can't be
   * written: the database is on the full disk itself, or away.
   */
  async #holdForDisk(detail: string | null): Promise<boolean> {
    const { store, clock } = this.#ports;
    try {
      const { status, hold: current } = await this.#ticket();
      if (isTerminal(status) || (current !== null && current.kind !== 'disk')) return false;
      const since = clock.now();
      const hold =
        detail === null ? null : { kind: 'disk' as const, since, detail, until: since + diskPauseMs };
      if (hold !== current)
        await store.commit({ ticket: this.#id, journal: [], changes: [{ type: 'ticket', set: { hold } }] });
      return true;
    } catch {
      return false;
    }
  }

  async #advance(): Promise<IdleState | undefined> {
    this.#control = new RunControl();
    this.#isAside = false;
    const ticket = await this.#ticket();
    // Of the try before, here or on another machine.
    if (ticket.hold?.kind === 'disk') await this.#holdForDisk(null);
    const control = await this.#nextControl(ticket);
    if (control) {
      await (interrupts(ticket, control) ? this.#take(ticket, control) : this.#fileReceipts());
      return undefined;
    }
    if (isTerminal(ticket.status)) return { state: 'terminal' };
    // A step's own wait is part of that step.
    if (ticket.hold?.kind === 'budget' && ticket.hold.until !== undefined)
      return this.#waitForDay(ticket, ticket.hold.until);
    if (ticket.hold && !isHeldByStep(ticket.hold) && ticket.hold.kind !== 'queue') return { state: 'held' };
    if (roleOf(ticket.status) === 'blocked') return { state: 'blocked' };
    if (rowOf(ticket.status).limited !== true) this.#slots.release(this.#id);
    else if (!(await waitForSlot(this.#ports, this.#slots, ticket, { signal: this.#control.signal })))
      return undefined;
    return this.#handle(await this.#ticket());
  }

  async #handle(ticket: Ticket): Promise<IdleState | undefined> {
    const definition: HandlerDefinition<string> = this.#behaviour.handlers[rowOf(ticket.status).handler];
    const scope = await this.#openRun(ticket, ticket.status, definition.version);
    try {
      // At a gate, a person can still fix it.
      if (rowOf(ticket.status).kind === 'auto') await refuseAltered(this.#ports.store, ticket.id);
      const result = await this.#execute(scope, definition);
      const exit = exitTransition(ticket, scope.row, result);
      await scope.journal.transact(
        rowOf(ticket.status).kind === 'gate' ? await this.#withLate(ticket, scope, exit, result.exit) : exit,
      );
      this.#emitStatus(ticket, result.exit);
      return undefined;
    } catch (thrown) {
      return this.#ended(ticket, await keep(scope.journal, thrown), scope);
    }
  }

  /**
   * Refuses what others decided at a gate that ends: at the next one it would mean something else. Several
   * people may decide at the same time. What the work that begins takes too, such as findings, waits for it.
   */
  async #withLate(
    ticket: Ticket,
    { journal }: RunScope,
    exit: Transaction,
    name: string,
  ): Promise<Transaction> {
    const pending = await this.#ports.store.inbox(ticket.id, { pending: true });
    const to = rowOf(ticket.status).exits[name];
    const next = to && rowOf(to);
    const isTakenNext = (entry: InboxEntry): boolean => next?.kind === 'auto' && entry.kind in next.actions;
    const late = pending
      .filter((entry) => !isTakenByEngine(ticket, entry) && !journal.settles(entry.id) && !isTakenNext(entry))
      .map((entry) => refused(entry, new BeadsmithError('STATUS_CONFLICT')));
    return {
      ...exit,
      expect: { status: ticket.status, revision: ticket.revision, pending: pending.map(({ id }) => id) },
      journal: [...late.map((entry) => entry.journal), ...exit.journal],
      changes: [...late.map(({ change }) => change), ...(exit.changes ?? [])],
    };
  }

  /** Ends the drive until then, as a stop does: a step that waits knows until when. */
  #leave(until: number): void {
    this.#leftUntil ??= until;
    this.#control.stop('stop');
  }

  #leaving(): number | undefined {
    return this.#leftUntil;
  }

  /** A ticket whose person has answered comes before those that only wait. */
  async #backToWork(signal: AbortSignal): Promise<void> {
    const ticket = await this.#ticket();
    if (rowOf(ticket.status).limited === true)
      await waitForSlot(this.#ports, this.#slots, ticket, { signal, place: 0 });
    this.#isAside = false;
    signal.throwIfAborted();
  }

  async #execute(scope: RunScope, definition: HandlerDefinition<string>): Promise<HandlerResult<string>> {
    const result = await definition.run(new JournaledRun(scope), scope.row.snapshot);
    const [unasked] = unaskedKeys(scope);
    if (unasked !== undefined)
      throw new BeadsmithError('REPLAY_MISMATCH', {
        key: unasked,
        reason: 'the handler no longer asks for it',
      });
    return result;
  }

  async #ended(ticket: Ticket, thrown: unknown, { journal, row }: RunScope): Promise<IdleState | undefined> {
    if (thrown instanceof RunStopped) {
      if (thrown.reason === 'superseded')
        await journal.commit([{ kind: 'run.closed', run: row.id, state: 'superseded', exit: null }]);
      if (thrown.reason !== 'parked') return undefined;
      const waitsFor = thrown.waitsFor ?? { kinds: [], until: undefined };
      const [facts] = await this.#ports.store.summaries([ticket.id]);
      const possible: readonly string[] = facts ? allowedActions(facts) : waitsFor.kinds;
      this.#ports.events.emit({
        type: 'waiting',
        ticket: ticket.id,
        at: this.#ports.clock.now(),
        status: ticket.status,
        kinds: waitsFor.kinds.filter((kind) => possible.includes(kind)),
      });
      return { state: 'waiting', ...waitsFor };
    }
    const error = toBeadsmithError(thrown);
    if (isStoreError(error)) throw error;
    // What couldn't be written is done again by the next drive.
    if (error.code === 'STATUS_CONFLICT' || this.#stopped || this.#leftUntil !== undefined) return undefined;
    if (isBudgetError(error)) return this.#pause(ticket, error, journal);
    await journal.transact(blockTransition(ticket, error));
    tellBlocked(this.#ports, ticket.id, error);
    return undefined;
  }

  async #pause(ticket: Ticket, error: BeadsmithError, journal: RunJournal): Promise<undefined> {
    const since = this.#ports.clock.now();
    const until = isOfDay(error) ? startOfNextDay(since) : undefined;
    await journal.transact(pauseTransition(ticket, error, { since, until }));
    tellHold(this.#ports, ticket.id, 'budget', error.message, until);
    return undefined;
  }

  async #waitForDay({ id, hold }: Ticket, until: number): Promise<IdleState | undefined> {
    this.#slots.release(id);
    const { clock, store } = this.#ports;
    const { signal } = this.#control;
    if (this.#leaves && clock.now() < until) return { state: 'waiting', kinds: [], until };
    while (!signal.aborted && clock.now() < until)
      await clock.sleep(Math.min(until - clock.now(), 60_000), signal);
    if (signal.aborted) return undefined;
    const ticket = await this.#ticket();
    if (ticket.hold?.since !== hold?.since) return undefined;
    await store.commit({ ticket: id, ...endOfHold(ticket, await store.openRun(id, ticket.status), null) });
    tellHold(this.#ports, id, null);
    return undefined;
  }

  /** A run with a handler of another version is superseded (docs/ARCHITECTURE.md §5.5). */
  async #openRun(ticket: Ticket, status: Status, version: number): Promise<RunScope> {
    const open = await this.#ports.store.openRun(ticket.id, status);
    const left = { hold: isHeldByStep(ticket.hold) };
    const parts = {
      ports: this.#ports,
      control: this.#control,
      stages: this.#behaviour.stages,
      left,
      waits: new Map<string, Hold>(),
      interruptedByStore: this.#interruptedByStore,
      aside: {
        leave: () => {
          this.#isAside = true;
          this.#slots.release(this.#id);
        },
        back: (signal: AbortSignal) => this.#backToWork(signal),
      },
      atWork: new StepsAtWork(this.#leaves ? (until) => this.#leave(until) : undefined),
    };
    if (open?.handlerVersion === version) {
      // A worktree may have been made elsewhere meanwhile: its place decides nothing.
      const snapshot = { ...open.snapshot, worktree: ticket.worktree };
      return openScope({ ...parts, row: { ...open, snapshot } });
    }
    const attempt = ticket.attempts[status] ?? 1;
    const { store } = this.#ports;
    const [artifacts, count] = await Promise.all([store.snapshotParts(ticket.id), store.runCount(ticket.id)]);
    const snapshot: TicketSnapshot = { ...ticket, attempt, artifacts };
    const run = {
      id: `${ticket.id}/${String(count + 1)}/${status}`,
      ticket: ticket.id,
      status,
      attempt,
      parent: null,
      handlerVersion: version,
      snapshot,
      limits: ticket.limits ?? Limits.parse({}),
    };
    return newScope({ ...parts, row: { ...run, state: 'open', exit: null, continuedSeq: 0 } }, [
      ...(open ? [{ kind: 'run.closed', run: open.id, state: 'superseded', exit: null } as const] : []),
      { kind: 'run.opened', run },
    ]);
  }

  async #take(ticket: Ticket, entry: InboxEntry): Promise<void> {
    if (definitionOf(entry.kind).prepared) {
      this.#preparing = true;
      try {
        await this.#prepare(ticket, entry);
      } catch (thrown) {
        // If the process stops, the next one carries it out.
        if (!(thrown instanceof RunStopped))
          await this.#refusePrepared(ticket, entry, toBeadsmithError(thrown));
      } finally {
        this.#preparing = false;
      }
      return;
    }
    const run = await this.#ports.store.openRun(ticket.id, runStatus(ticket));
    await this.#ports.store.commit(
      await controlTransaction(this.#ports, ticket, run, entry, this.#behaviour.changes),
    );
    const after = await this.#ticket();
    if (after.status !== ticket.status) this.#emitStatus(ticket, entry.kind, after.status);
    else if (after.hold?.kind !== ticket.hold?.kind)
      tellHold(this.#ports, ticket.id, after.hold?.kind ?? null, after.hold?.detail);
  }

  /** The entry stays pending until it is done, so that a crash repeats it. */
  async #prepare(ticket: Ticket, { id, kind, body }: InboxEntry): Promise<void> {
    const [facts] = await this.#ports.store.summaries([ticket.id]);
    const refused = facts && refusalOf(facts, kind);
    if (refused) throw refused;
    const move = moveOf(ticket, { kind, body });
    if (!move)
      throw new BeadsmithError('UNEXPECTED', { reason: `"${kind}" leads nowhere from ${ticket.status}` });
    const definition = this.#behaviour.prepared[kind as PreparedMove];
    const entry = { by: kind, body };
    const scope = await this.#openRun({ ...ticket, entry }, move.to, definition.version);
    const { exit, changes = [], patch } = await this.#execute(scope, definition);
    const { journal, change } = consumed({ id, kind });
    await scope.journal.transact(
      actionTransition(ticket, kind, {
        to: move.to,
        entry,
        journal: [journal, { kind: 'run.closed', run: scope.row.id, state: 'closed', exit }],
        changes: [change, ...changes, ...(patch ? [{ type: 'ticket', set: patch } as const] : [])],
        archives: move.archives,
      }),
    );
    this.#emitStatus(ticket, kind, move.to);
  }

  /** The ticket stays unchanged, and the action can be repeated. */
  async #refusePrepared(ticket: Ticket, entry: InboxEntry, error: BeadsmithError): Promise<void> {
    if (isStoreError(error)) throw error;
    const to = moveOf(ticket, entry)?.to;
    const run = to && (await this.#ports.store.openRun(ticket.id, to));
    const { journal, ...rest } = refusal(ticket, entry, error);
    const archived = run ? [{ kind: 'run.closed', run: run.id, state: 'archived', exit: null } as const] : [];
    await this.#ports.store.commit({ ...rest, journal: [...journal, ...archived] });
  }

  async #nextControl(ticket: Ticket): Promise<InboxEntry | undefined> {
    const entries = await this.#ports.store.inbox(ticket.id, { pending: true });
    const controls = entries.filter((entry) => isTakenByEngine(ticket, entry));
    return (
      controls.find(({ kind }) => definitionOf(kind).prepared) ??
      controls.find((entry) => interrupts(ticket, entry)) ??
      controls[0]
    );
  }

  /** Applies entries that interrupt nothing, even while a handler runs. */
  async #fileReceipts(): Promise<void> {
    await this.#receipts.run(this.#id, async () => {
      const entries = await this.#ports.store.inbox(this.#id, { pending: true });
      for (const entry of entries) {
        const ticket = await this.#ticket();
        if (isTakenByEngine(ticket, entry) && !interrupts(ticket, entry)) await this.#take(ticket, entry);
      }
    });
  }

  async #interruptForControl(): Promise<void> {
    const control = this.#control;
    if (this.#preparing) return;
    try {
      const ticket = await this.#ports.store.ticket(this.#id);
      const next = ticket && (await this.#nextControl(ticket));
      if (!ticket || !next) return;
      if (interrupts(ticket, next)) control.stop('cancel');
      else await this.#fileReceipts();
    } catch {
      // The runner's next commit reports it.
    }
  }

  async #ticket(): Promise<Ticket> {
    const ticket = await this.#ports.store.ticket(this.#id);
    if (!ticket) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: this.#id });
    return ticket;
  }

  #emitStatus(ticket: Ticket, by: string, to: Status | undefined = rowOf(ticket.status).exits[by]): void {
    this.#ports.events.emit({
      type: 'status',
      ticket: ticket.id,
      at: this.#ports.clock.now(),
      from: ticket.status,
      to: to ?? ticket.status,
      by,
    });
  }
}

async function keep(journal: RunJournal, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof RunStopped)) return thrown;
  try {
    await journal.flush();
    return thrown;
  } catch (failed) {
    return failed;
  }
}
