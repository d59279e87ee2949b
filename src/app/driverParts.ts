import type { Disposable } from '../base/disposable.ts';
import { keepNewest } from '../base/keepNewest.ts';
import { missesText } from '../domain/promptCache/providersThatMiss.ts';
import type { Clock, Git, Ports } from '../engine/ports/ports.ts';
import type { SharedLog, Store } from '../engine/ports/storePort.ts';
import type { HistoryReader } from '../protocol/history.ts';
import type { EventBus } from './eventBus.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isTerminal } from '../domain/workflow/workflow.ts';
import { reasonOf } from '../adapters/system/files.ts';
import type { CompletedTicketsFile } from '../adapters/system/completedTicketsFile.ts';
import { statusOf } from '../domain/workflow/roles.ts';
import type { Client } from '../protocol/api.ts';
import { completedBy } from '../protocol/estimates.ts';
import { ExecutionLog } from './executionLog.ts';
import { Projector } from './projector.ts';

/** Starts what only a driver does; returns functions that end it. */
export async function driverParts(
  ports: Ports,
  events: EventBus,
  {
    stateFolder,
    history,
    share,
  }: {
    readonly stateFolder: string;
    readonly history: HistoryReader;
    /** Shows a team's people the log of a ticket. */
    readonly share?: SharedLog['append'] | undefined;
  },
): Promise<readonly (() => Promise<void>)[]> {
  const { store, files, clock } = ports;
  const worktrees = new Map<string, string | null>();
  const isWorktree = (path: string): boolean => existsSync(join(path, '.git'));
  const log = new ExecutionLog({
    stateFolder,
    clock,
    share,
    append: async (ticket, lines) => {
      const path = worktrees.get(ticket) ?? null;
      if (path !== null && isWorktree(path))
        await files.append(path, '.ticket/runtime/execution-log.jsonl', lines);
    },
  });
  const projector = new Projector({
    store,
    files,
    clock,
    isWorktree,
    onProject: (ticket) => worktrees.set(ticket.id, ticket.worktree),
  });
  await projector.start();
  const listening = events.on(log.add);
  const misses = watchMisses({ store, events, clock, history });
  return [
    () => projector.stop(),
    async () => {
      misses.dispose();
      listening.dispose();
      await log.flush();
    },
  ];
}

interface Watched {
  readonly store: Pick<Store, 'onDidChange'>;
  readonly events: Pick<EventBus, 'on' | 'emit'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly history: Pick<HistoryReader, 'misses'>;
  readonly later?: (work: () => void) => void;
}

interface Known {
  /** By model and time, so that restarts don't repeat messages. */
  readonly ended: Set<string>;
  told: ReadonlySet<string>;
  /** Calls that are booked until it is read count too. */
  isNoted: boolean;
}

const mostEnded = 50;
/** Reading the last 200 calls must not delay new ones. */
const pauseMs = 5_000;
/** The oldest are forgotten. */
const mostTickets = 50;

/** Logs a provider's third cache miss in a row (docs/prompt-cache.md). */
export function watchMisses({ store, events, clock, history, later = afterPause }: Watched): Disposable {
  const tickets = new Map<string, Known>();
  let isDisposed = false;
  const look = async (ticket: string, known: Known): Promise<void> => {
    const found = await history.misses(ticket);
    const news = found.filter(
      ({ member, since }) => known.ended.has(`${member} ${String(since)}`) && !known.told.has(member),
    );
    known.told = new Set(found.map(({ member }) => member));
    for (const one of news)
      events.emit({
        type: 'activity',
        ticket,
        at: clock.now(),
        source: 'engine',
        kind: 'info',
        text: missesText(one),
      });
  };
  const listening = events.on((event) => {
    if (event.type !== 'call') return;
    const known = tickets.get(event.ticket) ?? { ended: new Set(), told: new Set(), isNoted: false };
    known.ended.add(`${event.member} ${String(event.at)}`);
    keepNewest(known.ended, mostEnded);
    tickets.delete(event.ticket);
    tickets.set(event.ticket, known);
    keepNewest(tickets, mostTickets);
  });
  const watching = store.onDidChange((ticket, _cause, changes) => {
    const known = ticket !== undefined && changes?.includes('call') ? tickets.get(ticket) : undefined;
    if (ticket === undefined || !known || known.isNoted) return;
    known.isNoted = true;
    later(() => {
      known.isNoted = false;
      if (!isDisposed) look(ticket, known).catch(() => undefined);
    });
  });
  return {
    dispose: () => {
      isDisposed = true;
      listening.dispose();
      watching.dispose();
    },
  };
}

function afterPause(work: () => void): void {
  setTimeout(work, pauseMs).unref();
}

/**
 * Notes moved worktrees before the first ticket is driven. An open run blocks, and its retry makes git find
 * the worktree again.
 */
export async function followMovedWorktrees(
  store: Pick<Store, 'active' | 'ticket' | 'commit'>,
  git: Pick<Git, 'worktreePath'>,
): Promise<void> {
  for (const id of await store.active()) {
    const { status, worktree } = (await store.ticket(id)) ?? {};
    if (!status || !worktree || isTerminal(status) || existsSync(worktree)) continue;
    const path = await git.worktreePath(id);
    if (path === worktree || !existsSync(path)) continue;
    await store.commit({ ticket: id, journal: [], changes: [{ type: 'ticket', set: { worktree: path } }] });
  }
}

/**
 * Notes the effort of completed tickets (docs/decisions/158-estimates-of-a-machine.md). Returns a function
 * that ends it.
 */
export function watchCompleted({
  events,
  client,
  file,
  log,
}: {
  readonly events: Pick<EventBus, 'on'>;
  readonly client: Client;
  readonly file: Pick<CompletedTicketsFile, 'add'>;
  readonly log: (message: string) => void;
}): () => Promise<void> {
  const noting = new Set<Promise<void>>();
  const note = async (id: string): Promise<void> => {
    try {
      const completed = await completedBy(client, id);
      if (completed) await file.add(id, completed);
    } catch (error) {
      log(`What ${id} took could not be noted for later estimates: ${reasonOf(error)}`);
    }
  };
  const listening = events.on((event) => {
    if (event.type !== 'status' || event.to !== statusOf('completed')) return;
    const done = note(event.ticket).finally(() => noting.delete(done));
    noting.add(done);
  });
  return async () => {
    listening.dispose();
    await Promise.all(noting);
  };
}
