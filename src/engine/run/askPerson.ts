import * as z from 'zod';
import type { Json } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import {
  isCut,
  type PendingRequest,
  RequestDecision,
  requestLine,
} from '../../domain/ticket/agentRequest.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import { consumed, refused } from '../journal/transition.ts';
import type { AskedRequest } from '../ports/ports.ts';
import type { AskOptions } from './run.ts';
import type { RunScope } from './runScope.ts';
import type { Change, JournalEntry } from '../ports/storePort.ts';
import { tellHold } from './tell.ts';
import { shownOf, type WaitPlace } from './waitOut.ts';

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
 * Holds the ticket until a person decides on an agent's request (see `StepIo.ask`). There is one request per
 * ticket at a time: agents that may ask work in one lane, and a session's requests come one after the other.
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
  const until = await endOf(scope, id, since, options.windowMs);
  const pending: PendingRequest = { id, source: options.source, since, until, content: request.content };
  const detail = requestLine(request.content);
  const note = (value: Json): JournalEntry => ({ kind: 'step.note', run: row.id, key, note: value });
  const show = (until: number): Change => {
    // Other branches may wait for a provider meanwhile: the request stays what the ticket shows.
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
  // The next process finds the hold unchanged and waits for the rest of the window.
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

/**
 * Returns the time at which a request that may have been asked before runs out, in milliseconds since 1970.
 * The time in which nobody drove counts, but nobody could be asked then: a request that ran out meanwhile
 * starts again. Never longer than its window, whatever the clock says now.
 */
async function endOf({ ports, row }: RunScope, id: string, since: number, windowMs: number): Promise<number> {
  const shown = (await ports.store.ticket(row.ticket))?.hold?.request;
  const until = shown?.id === id ? shown.until : since + windowMs;
  const now = ports.clock.now();
  return until <= now ? now + windowMs : Math.min(until, now + windowMs);
}

/** Returns how a request ended, for the log. What a person wrote isn't repeated. */
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

/**
 * Interval at which the clocks are compared, and the difference they may have before the machine slept or its
 * clock was set, in milliseconds.
 */
const sliceMs = 30_000;
const driftMs = 5_000;

interface DecisionOptions {
  readonly withdrawn: AbortSignal;
  /** Of a request that only a person ends: how long until its end is moved again. */
  readonly windowMs?: number;
  /** Stores that the request runs out at another time of day. */
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
      // Nobody can answer while the machine sleeps, and a clock that is set is no time that passed.
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

/** Returns an entry's decision; undefined when it is for another request, or doesn't fit this one. */
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

/** Consumes the entry that decided and refuses other replies: no old reply may answer a later request. */
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

/** Since when people have been asked; undefined when they never were, or have decided. */
function askedBefore(earlier: readonly Json[], id: string): number | undefined {
  let since: number | undefined;
  for (const note of earlier) {
    if (DecidedNote.safeParse(note).data?.request === id) since = undefined;
    const asked = AskedNote.safeParse(note).data;
    if (asked?.request === id) since = asked.at;
  }
  return since;
}
