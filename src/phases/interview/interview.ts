import * as z from 'zod';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import {
  type CoverageReport,
  InterviewSession,
  interviewDocument,
} from '../../domain/requirements/interview.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, Run, RecordIo } from '../../engine/run/run.ts';
import { isoNow, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import type { OpenSession } from '../shared/structured/askTypes.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { refuseEntry, saveSkipReceipt } from '../shared/ticket/receipts.ts';
import { askNextBatch, type Turn } from './askNextBatch.ts';
import { buildInterview } from './buildInterview.ts';
import {
  hasRevised,
  openQuestions,
  withAnswers,
  withBatch,
  withEverythingSkipped,
  withOwnBatch,
  withSettled,
  withSkips,
} from './interviewState.ts';

type Entry = InboxEntry<'answer' | 'skip'>;
const Heard = z.object({ session: InterviewSession, skippedAll: z.boolean() });
type Heard = z.infer<typeof Heard>;

/**
 * WAITING_INTERVIEW_ANSWERS: the winner asks, a few questions at a time, in one session; a person answers or
 * skips (docs/decisions/021-interview.md). The record is the artifact `interview_session`, filed with the
 * version before it, so that no Retry loses an answer. A batch that coverage asked for needs no model call.
 */
export const interview: HandlerDefinition<'complete' | 'skip_all'> = {
  version: 2,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    let record = await run.record(
      'open',
      InterviewSession,
      async (io) => (await storedDocument(io, 'interview_session', InterviewSession)).document,
    );
    let live: OpenSession | undefined;
    let heardBefore = 0;
    let revised = false;
    for (let turn = 1; ; turn++) {
      const batch = record.currentBatch;
      if (batch) {
        const heard = await hear(run, ticket, record, heardBefore);
        heardBefore = heard.count;
        revised = hasRevised(record, heard.session);
        record = heard.session;
        if (heard.skippedAll) return finish(run, ticket, record, 'skip_all');
        if (batch.source === 'coverage') return finish(run, ticket, record, 'complete');
      } else if (record.summary !== null) return finish(run, ticket, record, 'complete');
      if (record.summary !== null) {
        record = withOwnBatch(record);
        if (record.currentBatch === null) return finish(run, ticket, record, 'complete');
        await keepAsked(run, turn, record);
        continue;
      }
      const answer = await askNextBatch(run, ticket, {
        key: `turn-${turn}`,
        interview: record,
        session: live,
        revised,
        sections: turn === 1 ? sections : [],
      });
      live = answer.session;
      record = withTurn(record, answer.value);
      if (record.currentBatch === null) return finish(run, ticket, record, 'complete');
      await keepAsked(run, turn, record);
    }
  },
};

/**
 * The record after a turn of the model: with its batch, or with what the engine itself has to ask after the
 * model's last word. A batch of which nothing may be asked is a last word, too.
 */
function withTurn(before: InterviewSession, turn: Turn): InterviewSession {
  const record = withSettled(before, turn.type === 'batch' ? turn.batch.settled : turn.complete.settled);
  const batched = turn.type === 'batch' ? withBatch(record, turn.batch, 'prompt') : record;
  if (turn.type === 'batch' && batched.currentBatch !== null) return batched;
  const {
    goals = [],
    constraints = [],
    non_goals = [],
    final_free_form_answer = '',
  } = turn.type === 'complete' ? turn.complete.summary : {};
  return withOwnBatch({ ...batched, summary: { goals, constraints, non_goals, final_free_form_answer } });
}

async function keepAsked(run: Run, turn: number, record: InterviewSession): Promise<void> {
  await run.record(`asked-${turn}`, z.null(), async (io) => {
    await saveRecord(io, record);
    return null;
  });
}

/** Waits until every question of the current batch is answered or skipped, or everything is. */
export async function hear(
  run: Run,
  ticket: TicketSnapshot,
  record: InterviewSession,
  before: number,
): Promise<Heard & { readonly count: number }> {
  let heard: Heard = { session: record, skippedAll: false };
  let count = before;
  while (!heard.skippedAll && openQuestions(heard.session).length > 0) {
    count++;
    const entry = await run.wait(`reply-${count}`, ['answer', 'skip']);
    if (entry === 'expired') continue;
    const present = heard.session;
    heard = await run.record(`heard-${count}`, Heard, (io) => listen(io, ticket, present, entry));
  }
  return { ...heard, count };
}

async function listen(
  io: RecordIo,
  ticket: TicketSnapshot,
  record: InterviewSession,
  entry: Entry,
): Promise<Heard> {
  const at = isoNow(io);
  if (entry.kind === 'skip') return skip(io, ticket, record, entry, at);
  const body = inboxBodies.answer.parse(entry.body);
  const taken = withAnswers(record, body, at);
  if (!taken.ok) {
    if (taken.stale) refuseEntry(io, entry, 'STALE_APPROVAL', { artifact: 'The batch of questions' });
    else refuseEntry(io, entry, 'INVALID_INPUT', { what: 'The answer', reason: taken.reason });
    return { session: record, skippedAll: false };
  }
  await saveRecord(io, taken.session);
  return { session: taken.session, skippedAll: false };
}

async function skip(
  io: RecordIo,
  ticket: TicketSnapshot,
  record: InterviewSession,
  entry: Entry,
  at: string,
): Promise<Heard> {
  const { ids, reason } = inboxBodies.skip.parse(entry.body);
  const unknown = ids?.filter((id) => !record.asked.some((question) => question.id === id)) ?? [];
  if (unknown.length > 0) {
    refuseEntry(io, entry, 'INVALID_INPUT', {
      what: 'The skip',
      reason: `question ${unknown.join(', ')} was not asked`,
    });
    return { session: record, skippedAll: false };
  }
  const session = ids ? withSkips(record, ids, reason, at) : withEverythingSkipped(record, reason, at);
  const item_ids = Object.keys(session.answers).filter(
    (id) => session.answers[id]?.skipped === true && (ids === undefined || ids.includes(id)),
  );
  saveSkipReceipt(io, ticket, { surface: ids ? 'interview_question' : 'interview_all', item_ids, reason });
  await saveRecord(io, session);
  return { session, skippedAll: ids === undefined };
}

/** Ends the interview: `interview.yaml` is written from its record. */
export async function finish<E extends 'complete' | 'skip_all'>(
  run: Run,
  ticket: TicketSnapshot,
  record: InterviewSession,
  exit: E,
): Promise<{ exit: E }> {
  await run.record('finish', z.null(), async (io) => {
    const content = yamlText(buildInterview(record, ticket.id, isoNow(io)));
    const place = { status: ticket.status, attempt: ticket.attempt };
    await saveRecord(io, { ...record, currentBatch: null });
    io.save({ type: 'artifact', artifact: interviewDocument.kind, content, ...place });
    // Skipping everything also means that nothing more is to be asked.
    const report: CoverageReport = { schema_version: 1, passes: [], outcome: 'clean', open_gaps: [] };
    if (exit === 'skip_all')
      io.save({
        type: 'artifact',
        artifact: coverageOf(interviewDocument.kind),
        content: yamlText(report),
        ...place,
      });
    return null;
  });
  return { exit };
}

async function saveRecord(io: RecordIo, record: InterviewSession): Promise<void> {
  const { status, attempt } = await storedDocument(io, 'interview_session', InterviewSession);
  io.save({ type: 'artifact', artifact: 'interview_session', content: yamlText(record), status, attempt });
}
