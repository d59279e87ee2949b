import * as z from 'zod';
import { canonicalJson, type Json } from '../../base/json.ts';
import type { Hold } from '../../domain/ticket/ticket.ts';
import type { HoldOptions, AskOptions } from './run.ts';
import type { RunScope } from './runScope.ts';
import { tellHold } from './tell.ts';
import { sha256 } from '../../base/sha256.ts';
import {
  isCut,
  RequestDecision,
  requestLine,
  type PendingRequest,
} from '../../domain/ticket/agentRequest.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import { consumed, refused } from '../journal/transition.ts';
import type { AskedRequest } from '../ports/ports.ts';
import type { Change, JournalEntry } from '../ports/storePort.ts';

const HeldNote = z.object({
  type: z.literal('held'),
  hold: z.string(),
  since: z.number(),
  until: z.number(),
});

/** The step that waits. */
export interface WaitPlace {
  readonly scope: RunScope;
  readonly key: string;
  readonly earlier: readonly Json[];
  readonly signal: AbortSignal;
}

/** Timers may pause while the machine sleeps. */
const lookMs = 30_000;

/**
 * Holds the ticket until a noted time (see `StepIo.hold`). A hold that is gone means that a person continued;
 * a chosen time replaces the noted one.
 */
export async function waitOut(
  { scope, key, earlier, signal }: WaitPlace,
  { id, kind, until, detail }: HoldOptions,
): Promise<void> {
  const { ports, row } = scope;
  const known = earlier.map((note) => HeldNote.safeParse(note).data).findLast((note) => note?.hold === id);
  let held: Hold = { kind, since: known?.since ?? ports.clock.now(), detail, until: known?.until ?? until };
  if (known) {
    const current = (await ports.store.ticket(row.ticket))?.hold;
    const isChosen = current?.chosen === true;
    if (current?.kind !== kind || (!isChosen && (current.until ?? 0) < known.until)) return;
    if (isChosen) held = { ...current, since: held.since };
    scope.waits.set(id, held);
  } else {
    const note: Json = { type: 'held', hold: id, since: held.since, until };
    scope.waits.set(id, held);
    await scope.journal.commit(
      [{ kind: 'step.note', run: row.id, key, note }],
      [{ type: 'ticket', set: { hold: shownOf(scope.waits) } }],
    );
  }
  const end = held.until ?? until;
  scope.left.hold = false;
  tellHold(ports, row.ticket, kind, held.detail, shownOf(scope.waits)?.until ?? end);
  try {
    await scope.atWork.waiting(end, async (leaveIfAllWait) => {
      while (!signal.aborted && ports.clock.now() < end) {
        await ports.clock.sleep(Math.min(end - ports.clock.now(), lookMs), signal);
        if (end - ports.clock.now() > lookMs) leaveIfAllWait();
      }
    });
    // The stop decides about the hold.
    signal.throwIfAborted();
  } finally {
    scope.waits.delete(id);
  }
  const next = shownOf(scope.waits);
  await scope.journal.commit([], [{ type: 'ticket', set: { hold: next } }]);
  if (next) tellHold(ports, row.ticket, next.kind, next.detail, next.until ?? null);
  else tellHold(ports, row.ticket, null, 'the wait is over', null);
}

/** The wait to show: a request to a person, or the last to end. */
function shownOf(waits: ReadonlyMap<string, Hold>): Hold | null {
  return [...waits.values()].reduce<Hold | null>(
    (latest, hold) => (latest && endOf(latest) >= endOf(hold) ? latest : hold),
    null,
  );
}

function endOf({ request, until = 0 }: Hold): number {
  return request ? Infinity : until;
}

const AskedNote = z.object({ type: z.literal('asked'), request: z.string(), at: z.number() });
const DecidedNote = z.object({
  type: z.literal('decided'),
  request: z.string(),
  asked: z.string(),
  decision: RequestDecision,
});

type End =
  { readonly entry: InboxEntry; readonly decision: RequestDecision } | 'over' | 'withdrawn' | 'ended';

/**
 * Holds the ticket until a person decides (see `StepIo.ask`): one request at a time, because agents that may
 * ask work in one lane.
 */
export async function askPerson(
  place: WaitPlace,
  request: AskedRequest,
  options: AskOptions,
): Promise<RequestDecision | undefined> {
  const { scope, key, earlier } = place;
  const known = decidedBefore(earlier, request.asked);
  if (known) return known;
  const { ports, row } = scope;
  const id = sha256(`${row.id}/${key}\n${canonicalJson(request.content)}`).slice(0, 16);
  const since = askedBefore(earlier, id) ?? ports.clock.now();
  const until = await windowEnd(scope, id, since, options.windowMs);
  const pending: PendingRequest = { id, source: options.source, since, until, content: request.content };
  const detail = requestLine(request.content);
  const note = (value: Json): JournalEntry => ({ kind: 'step.note', run: row.id, key, note: value });
  const show = (until: number): Change => {
    // Other branches may wait for a provider: the request stays visible.
    scope.waits.set(id, { kind: request.content.kind, since, detail, request: { ...pending, until } });
    return { type: 'ticket', set: { hold: shownOf(scope.waits) } };
  };
  await scope.journal.commit([note({ type: 'asked', request: id, at: since })], [show(until)]);
  scope.left.hold = false;
  tellHold(ports, row.ticket, request.content.kind, detail);
  scope.aside.leave();
  const move = async (to: number): Promise<void> => {
    await scope.journal.commit([], [show(to)]);
  };
  const end = await decisionOn(place, pending, {
    withdrawn: options.withdrawn,
    move,
    ...(options.waitsForPerson ? { windowMs: options.windowMs } : {}),
  }).finally(() => scope.waits.delete(id));
  // The next process waits for the rest of the window.
  if (end === 'ended' && scope.control.reason === 'stop') return undefined;
  const decision =
    typeof end === 'object' ? end.decision : end === 'over' ? ({ kind: 'none' } as const) : undefined;
  const replies = await settleReplies(scope, typeof end === 'object' ? end.entry : undefined);
  const decided = decision ? [note({ type: 'decided', request: id, asked: request.asked, decision })] : [];
  const kept = (decision && options.keep?.(decision)) ?? [];
  const hold: Change = { type: 'ticket', set: { hold: shownOf(scope.waits) } };
  await scope.journal.commit([...replies.journal, ...decided], [...replies.changes, ...kept, hold]);
  tellHold(ports, row.ticket, null, howItEnded(end));
  if (end !== 'ended') await scope.aside.back(place.signal);
  return decision;
}

/** A window that ran out while nobody drove starts again; a set clock never makes it longer. */
async function windowEnd(
  { ports, row }: RunScope,
  id: string,
  since: number,
  windowMs: number,
): Promise<number> {
  const shown = (await ports.store.ticket(row.ticket))?.hold?.request;
  const until = shown?.id === id ? shown.until : since + windowMs;
  const now = ports.clock.now();
  return until <= now ? now + windowMs : Math.min(until, now + windowMs);
}

function howItEnded(end: End): string {
  if (end === 'over') return 'the question timed out';
  if (typeof end === 'string') return 'it is no longer asked';
  const { kind } = end.decision;
  return kind === 'answers'
    ? 'answered'
    : kind === 'allow'
      ? 'allowed'
      : kind === 'deny'
        ? 'denied'
        : 'left to the agent';
}

/** A larger drift between the clocks means sleep or a set clock. Milliseconds. */
const sliceMs = 30_000;
const driftMs = 5_000;

interface DecisionOptions {
  readonly withdrawn: AbortSignal;
  readonly windowMs?: number;
  readonly move: (until: number) => Promise<void>;
}

async function decisionOn(
  { scope, signal }: WaitPlace,
  pending: PendingRequest,
  { withdrawn, move, windowMs }: DecisionOptions,
): Promise<End> {
  const { store, clock } = scope.ports;
  let { until } = pending;
  let wake = new AbortController();
  const watch = store.onDidChange((ticket, cause) => {
    if (cause !== 'commit' && (ticket === undefined || ticket === scope.row.ticket)) wake.abort();
  });
  try {
    for (;;) {
      wake = new AbortController();
      if (signal.aborted) return 'ended';
      if (withdrawn.aborted) return 'withdrawn';
      for (const entry of await pendingReplies(scope)) {
        const decision = replyOf(entry, pending);
        if (decision) return { entry, decision };
      }
      const [day, start] = [clock.now(), clock.monotonic()];
      if (until <= day) {
        if (windowMs === undefined) return 'over';
        until = day + windowMs;
        await move(until);
      }
      await clock.sleep(Math.min(until - day, sliceMs), AbortSignal.any([signal, withdrawn, wake.signal]));
      const jump = clock.now() - day - Math.min(clock.monotonic() - start, 2 * sliceMs);
      if (Math.abs(jump) < driftMs) continue;
      until += jump;
      await move(until);
    }
  } finally {
    watch.dispose();
  }
}

async function pendingReplies(scope: RunScope): Promise<readonly InboxEntry[]> {
  const entries = await scope.ports.store.inbox(scope.row.ticket, { pending: true });
  return entries.filter(({ kind }) => kind === 'question_reply' || kind === 'permission_reply');
}

/** Undefined for another request's entry, or one that doesn't fit. */
function replyOf(entry: InboxEntry, { id, content }: PendingRequest): RequestDecision | undefined {
  if (content.kind === 'permission') {
    const body =
      entry.kind === 'permission_reply' ? inboxBodies.permission_reply.safeParse(entry.body).data : undefined;
    return body?.request === id && !(body.allow && isCut(content))
      ? { kind: body.allow ? 'allow' : 'deny' }
      : undefined;
  }
  const body =
    entry.kind === 'question_reply' ? inboxBodies.question_reply.safeParse(entry.body).data : undefined;
  if (body?.request !== id) return undefined;
  if (body.answers === null) return { kind: 'none' };
  return body.answers.length === content.questions.length
    ? { kind: 'answers', answers: body.answers }
    : undefined;
}

async function settleReplies(
  scope: RunScope,
  taken: InboxEntry | undefined,
): Promise<{ readonly journal: readonly JournalEntry[]; readonly changes: readonly Change[] }> {
  const error = new BeadsmithError('REQUEST_GONE');
  const settled = (await pendingReplies(scope)).map((entry) =>
    entry.id === taken?.id ? consumed(entry) : refused(entry, error),
  );
  return { journal: settled.map(({ journal }) => journal), changes: settled.map(({ change }) => change) };
}

function decidedBefore(earlier: readonly Json[], asked: string): RequestDecision | undefined {
  return earlier.map((note) => DecidedNote.safeParse(note).data).findLast((note) => note?.asked === asked)
    ?.decision;
}

function askedBefore(earlier: readonly Json[], id: string): number | undefined {
  let since: number | undefined;
  for (const note of earlier) {
    if (DecidedNote.safeParse(note).data?.request === id) since = undefined;
    const asked = AskedNote.safeParse(note).data;
    if (asked?.request === id) since = asked.at;
  }
  return since;
}
