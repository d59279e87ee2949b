import { codeOf } from '../../adapters/system/files.ts';
import { startOfDay } from '../../base/days.ts';
import { keepNewest } from '../../base/keepNewest.ts';
import type { RequestVerdict } from '../../domain/ticket/agentRequest.ts';
import { iterationOfKey } from '../../domain/beads/iteration.ts';
import { fromRecord, BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import { hasBudget } from '../../domain/usage/budgets.ts';
import { beadOf, spentIn } from '../../domain/usage/spending.ts';
import { roleOf } from '../../domain/workflow/roles.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { JournalRow, PastRun, Store } from '../../engine/ports/storePort.ts';
import type { HistoryReader, LogLine, LogPage, LogQuery, RunView } from '../../protocol/history.ts';
import { inspectCalls } from './inspectCalls.ts';
import { ticketReplay, type PromptsOfToday } from './ticketReplay.ts';
import { logLine, isWanted, pageLimit, readEventPage, readLogPage } from './logPages.ts';
import { OwnProfiles, ownProfilesFile, type OwnProfile } from '../../domain/promptCache/profiles.ts';
import { providersThatMiss, type ProviderThatMisses } from '../../domain/promptCache/providersThatMiss.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** `ticket` throws TICKET_UNKNOWN, so that no other text becomes a path. */
interface HistoryParts {
  readonly store: Pick<
    Store,
    | 'completed'
    | 'pastRuns'
    | 'pastCalls'
    | 'pastCall'
    | 'plannedCalls'
    | 'lastCall'
    | 'usage'
    | 'spending'
    | 'spendingSince'
    | 'milestones'
    | 'journal'
    | 'inbox'
  >;
  readonly today: PromptsOfToday;
  readonly elsewhere: HistoryReader['elsewhere'];
  readonly stateFolder: string;
  /** Brings the log there up to date. */
  readonly refreshLog?: ((ticket: string) => Promise<void>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly ticket: (id: string) => Promise<Ticket>;
}

/** Tickets whose milestones and misses are kept for frequent questions. */
const mostKept = 20;

export function ticketHistory({
  store,
  today,
  elsewhere,
  stateFolder,
  refreshLog,
  now,
  ticket: known,
}: HistoryParts): HistoryReader {
  const kept = new Map<string, readonly JournalRow[]>();
  /** The journal only grows. */
  const milestones = async (id: string): Promise<readonly JournalRow[]> => {
    const before = kept.get(id) ?? [];
    const all = [...before, ...(await store.milestones(id, before.at(-1)?.seq ?? 0))];
    kept.delete(id);
    kept.set(id, all);
    keepNewest(kept, mostKept);
    return all;
  };
  const runs: HistoryReader['runs'] = async (id) => {
    const ticket = await known(id);
    return runViews(ticket, await store.pastRuns(ticket.id), await milestones(ticket.id));
  };
  const misses = cacheMisses(store, stateFolder);
  const inspect: HistoryReader['inspect'] = async (id) => {
    const ticket = (await known(id)).id;
    const [calls, usage] = [await store.plannedCalls(ticket), await store.usage(ticket)];
    return inspectCalls({ calls, usage, runs: await runs(ticket), profiles: await ownProfiles(stateFolder) });
  };
  return {
    runs,
    inspect,
    elsewhere,
    completed: (newest) => store.completed(newest),
    misses: async (id) => misses((await known(id)).id),
    ...ticketReplay({ store, today, ticket: known, inspect }),
    spent: async (id) => {
      const { id: ticket, status, limits } = await known(id);
      const used = await store.spending(ticket);
      const inWork = used.findLast((run) => run.status === status && run.parent !== null);
      const spent = spentIn(used, { status, bead: inWork && beadOf(inWork) });
      return limits && hasBudget(limits, 'day')
        ? { ...spent, day: await store.spendingSince(startOfDay(now())) }
        : spent;
    },
    calls: async (id) => store.pastCalls((await known(id)).id),
    call: async (id, call) => store.pastCall((await known(id)).id, call),
    journal: async (id) => {
      const rows = await store.journal((await known(id)).id);
      return rows.map(({ seq, at, epoch, prevHash, hash, entry, covers }) => ({
        seq,
        at,
        epoch,
        prevHash,
        hash,
        entry,
        ...(covers && { covers }),
      }));
    },
    decision: async (id, request, since) =>
      decisionOn(await store.inbox((await known(id)).id), request, since),
    log: async (id, query) => {
      const ticket = await known(id);
      await refreshLog?.(ticket.id);
      return (
        (await readLogPage(stateFolder, ticket.id, query)) ?? statusPage(await milestones(ticket.id), query)
      );
    },
    transcript: async (id, query) => {
      const ticket = (await known(id)).id;
      await refreshLog?.(ticket);
      return readEventPage(stateFolder, ticket, query);
    },
  };
}

/** The same request may be repeated, so only later entries count. */
function decisionOn(
  entries: readonly InboxEntry[],
  request: string,
  since: number,
): RequestVerdict | undefined {
  for (const { kind, body, state, postedAt } of entries.toReversed()) {
    if (state !== 'consumed' || postedAt < since) continue;
    const question = kind === 'question_reply' ? inboxBodies.question_reply.safeParse(body).data : undefined;
    if (question?.request === request) return question.answers === null ? 'left' : 'answered';
    const permission =
      kind === 'permission_reply' ? inboxBodies.permission_reply.safeParse(body).data : undefined;
    if (permission?.request === request) return permission.allow ? 'allowed' : 'denied';
  }
  return undefined;
}

function runViews(
  ticket: Ticket,
  runs: readonly PastRun[],
  milestones: readonly JournalRow[],
): readonly RunView[] {
  const closed = new Map<string, number>();
  for (const { entry, at } of milestones)
    // It may be archived later.
    if (entry.kind === 'run.closed' && !closed.has(entry.run)) closed.set(entry.run, at);
  const own = runs.filter(({ parent }) => parent === null);
  return own.map((run, index) => {
    const next = own[index + 1];
    return {
      id: run.id,
      status: run.status,
      label: rowOf(run.status).label,
      attempt: run.attempt,
      state: run.state,
      exit: run.exit,
      startedAt: run.startedAt,
      endedAt: closed.get(run.id) ?? null,
      error: blockOf(next ? undefined : ticket, run, milestones, next?.openedSeq ?? Number.POSITIVE_INFINITY),
      iterations: runs.filter(({ parent }) => parent === run.id).flatMap((child) => iterationOf(run, child)),
    };
  });
}

/** The code is in the journal, the text in the ticket or a failed step. */
function blockOf(
  ticket: Ticket | undefined,
  run: PastRun,
  milestones: readonly JournalRow[],
  until: number,
): RunView['error'] {
  const within = milestones.filter(({ seq }) => seq > run.openedSeq && seq < until);
  const block = within.findLast(
    ({ entry }) => entry.kind === 'status' && roleOf(entry.to) === 'blocked' && entry.from === run.status,
  );
  if (block?.entry.kind !== 'status') return null;
  const code = block.entry.by;
  if (ticket?.error?.code === code) return { code, message: fromRecord(ticket.error).message };
  const failures = within.flatMap(({ seq, entry }) =>
    entry.kind === 'step.failed' && seq <= block.seq ? [entry.error] : [],
  );
  const failure = failures.findLast((error) => error.code === code);
  return { code, message: failure ? fromRecord(failure).message : '' };
}

function iterationOf(run: PastRun, child: PastRun): RunView['iterations'] {
  const found = iterationOfKey(child.id.slice(run.id.length + 1));
  return found
    ? [{ run: child.id, ...found, state: child.state, exit: child.exit, stages: child.stages }]
    : [];
}

/** Without a log: the statuses, numbered by their journal entries. */
function statusPage(milestones: readonly JournalRow[], query: LogQuery): LogPage {
  const all = milestones.flatMap(({ seq, at, ticket, entry }): readonly LogLine[] =>
    entry.kind === 'status'
      ? [logLine(seq, { type: 'status', ticket, at, from: entry.from, to: entry.to, by: entry.by })]
      : [],
  );
  const wanted = all.filter(
    (line) => line.number < (query.before ?? Number.POSITIVE_INFINITY) && isWanted(line, query),
  );
  const lines = wanted.slice(-pageLimit(query));
  const [first] = lines;
  return {
    lines,
    total: all.at(-1)?.number ?? 0,
    earlier: first && lines.length < wanted.length ? first.number : null,
  };
}

/** Enough for three misses in a row; older ones are in no cache. */
const newestCalls = 200;

interface Kept {
  readonly of: string;
  readonly misses: readonly ProviderThatMisses[];
}

/** Models whose provider misses, kept until a new call or profiles. `context` reports a bad file. */
export function cacheMisses(
  store: Pick<Store, 'lastCall' | 'plannedCalls' | 'usage'>,
  stateFolder: string,
): (ticket: string) => Promise<readonly ProviderThatMisses[]> {
  const kept = new Map<string, Kept>();
  return async (ticket) => {
    const profiles = await readableProfiles(stateFolder);
    if (!profiles) return [];
    const of = JSON.stringify([await store.lastCall(ticket), profiles]);
    const before = kept.get(ticket);
    const now = before?.of === of ? before : { of, misses: await computed(store, ticket, profiles) };
    kept.delete(ticket);
    kept.set(ticket, now);
    keepNewest(kept, mostKept);
    return now.misses;
  };
}

async function computed(
  store: Pick<Store, 'plannedCalls' | 'usage'>,
  ticket: string,
  profiles: readonly OwnProfile[],
): Promise<readonly ProviderThatMisses[]> {
  // Answers are booked with their calls.
  const [calls, usage] = await Promise.all([
    store.plannedCalls(ticket, newestCalls),
    store.usage(ticket, newestCalls),
  ]);
  return providersThatMiss(inspectCalls({ calls, usage, runs: [], profiles }));
}

async function readableProfiles(stateFolder: string): Promise<readonly OwnProfile[] | undefined> {
  try {
    return await ownProfiles(stateFolder);
  } catch (error) {
    if (error instanceof BeadsmithError && error.code === 'INVALID_INPUT') return undefined;
    throw error;
  }
}

const longest = 64 * 1_024;

/** A person's caching profiles of providers (docs/prompt-cache.md). Throws INVALID_INPUT for a bad file. */
async function ownProfiles(stateFolder: string): Promise<readonly OwnProfile[]> {
  const path = join(stateFolder, ownProfilesFile);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return [];
  const refuse = (reason: string): never => {
    throw invalidInput(`The file ${path}`, reason);
  };
  if (text.length > longest) return refuse(`it has more than ${String(longest)} characters`);
  // The parser is large, and rarely needed.
  const { readText } = await import('../../domain/documents/base/text.ts');
  const read = readText('yaml', text);
  if (!read.ok) return refuse(read.error);
  const { data, error } = OwnProfiles.safeParse(read.value);
  return data ? data.profiles : refuse(z.prettifyError(error));
}
