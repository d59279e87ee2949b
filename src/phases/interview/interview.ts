import * as z from 'zod';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import {
  type CoverageReport,
  InterviewSession,
  interviewDocument,
  BatchQuestion,
  type Interview,
} from '../../domain/requirements/interview.ts';
import { inboxBodies, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, Run, RecordIo } from '../../engine/run/run.ts';
import { isoNow, storedDocument, yamlText, artifactChange } from '../shared/ticket/artifacts.ts';
import { artifactDocument, type GateDocument } from '../shared/coverage/gateDocument.ts';
import type { OpenSession } from '../shared/structured/askTypes.ts';
import { takeUserContext, ticketParts } from '../shared/ticket/ticketParts.ts';
import { refuseEntry, saveSkipReceipt } from '../shared/ticket/receipts.ts';
import { askNextBatch, type Turn } from './askNextBatch.ts';
import {
  hasRevised,
  openQuestions,
  withAnswers,
  withBatch,
  withEverythingSkipped,
  withOwnBatch,
  withSettled,
  withSkips,
  type AskedQuestion,
} from './interviewState.ts';
import { notAsked } from '../../domain/requirements/interviewChecklist.ts';
import { finalQuestionId, isFollowUp } from './interviewQuestions.ts';

type Entry = InboxEntry<'answer' | 'skip'>;
const Heard = z.object({ session: InterviewSession, skippedAll: z.boolean() });
type Heard = z.infer<typeof Heard>;

/**
 * WAITING_INTERVIEW_ANSWERS: the winner asks in batches, a person answers or skips
 * (docs/decisions/021-interview.md). The record is filed with the version before it, so that no Retry loses
 * an answer.
 */
export const interview: HandlerDefinition<'complete' | 'skip_all'> = {
  version: 2,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    let record = await run.record('open', InterviewSession, storedRecord);
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

/** The record with the model's batch, or after its last word with what the engine has to ask. */
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

async function hear(
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
  if (taken.ok) await saveRecord(io, taken.session);
  else if (taken.stale) refuseEntry(io, entry, 'STALE_APPROVAL', { artifact: 'The batch of questions' });
  else refuseEntry(io, entry, 'INVALID_INPUT', { what: 'The answer', reason: taken.reason });
  return { session: taken.ok ? taken.session : record, skippedAll: false };
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
    const reason = `question ${unknown.join(', ')} was not asked`;
    refuseEntry(io, entry, 'INVALID_INPUT', { what: 'The skip', reason });
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

async function finish<E extends 'complete' | 'skip_all'>(
  run: Run,
  ticket: TicketSnapshot,
  record: InterviewSession,
  exit: E,
): Promise<{ exit: E }> {
  await run.record('finish', z.null(), async (io) => {
    const content = yamlText(buildInterview(record, ticket.id, isoNow(io)));
    await saveRecord(io, { ...record, currentBatch: null });
    io.save(artifactChange(ticket, interviewDocument.kind, content));
    // Skipping everything also means that nothing more is to be asked.
    const report: CoverageReport = { schema_version: 1, passes: [], outcome: 'clean', open_gaps: [] };
    if (exit === 'skip_all')
      io.save(artifactChange(ticket, coverageOf(interviewDocument.kind), yamlText(report)));
    return null;
  });
  return { exit };
}

async function storedRecord(io: RecordIo): Promise<InterviewSession> {
  return (await storedDocument(io, 'interview_session', InterviewSession)).document;
}

export async function saveRecord(io: RecordIo, record: InterviewSession): Promise<void> {
  const { status, attempt } = await storedDocument(io, 'interview_session', InterviewSession);
  io.save({ type: 'artifact', artifact: 'interview_session', content: yamlText(record), status, attempt });
}

const Asked = z.object({ ai_commentary: z.string(), questions: z.array(BatchQuestion) });

/** WAITING_QUICK_ANSWERS: an interview of one batch (docs/decisions/103-quick-tickets.md). */
export const quickAnswers: HandlerDefinition<'complete'> = {
  version: 1,
  run: async (run, ticket) => {
    const record = await run.record('open', InterviewSession, (io) => openRecord(io, ticket));
    const { session } = await hear(run, ticket, record, 0);
    return finish(run, ticket, session, 'complete');
  },
};

async function openRecord(io: RecordIo, ticket: TicketSnapshot): Promise<InterviewSession> {
  if (await io.ports.store.artifact(io.ticket, 'interview_session')) return storedRecord(io);
  const { document: asked } = await storedDocument(io, 'quick_questions', Asked);
  const empty = InterviewSession.parse({
    schemaVersion: 1,
    winner: ticketParts(ticket).settings.mainImplementer,
    maxFollowUps: 0,
    checklist: asked.questions.map(({ id, phase, question }) => ({ id, phase, question })),
    asked: [],
    answers: {},
    currentBatch: null,
    summary: { goals: [], constraints: [], non_goals: [], final_free_form_answer: '' },
  });
  const session = withBatch(empty, asked, 'prompt');
  io.save(artifactChange(ticket, 'interview_session', yamlText(session)));
  return session;
}

/** Built from the record: a model contributes only goals, constraints and non-goals. */
function buildInterview(session: InterviewSession, ticketId: string, at: string): Interview {
  return {
    schema_version: 1,
    ticket_id: ticketId,
    artifact: interviewDocument.kind,
    status: 'draft',
    generated_by: { winner_model: session.winner, generated_at: at, canonicalization: 'server_normalized' },
    questions: session.asked.map((question) => {
      const { batch: _batch, ...answer } = session.answers[question.id] ?? unanswered(at);
      return {
        id: question.id,
        phase: question.phase,
        prompt: question.question,
        source: question.source,
        follow_up_round: isFollowUp(question.source) ? question.round : null,
        answer_type: question.answer_type,
        options: question.options,
        covers: question.covers,
        answer,
      };
    }),
    ...notAsked(session),
    follow_up_rounds: rounds(session.asked),
    summary: {
      goals: session.summary?.goals ?? [],
      constraints: session.summary?.constraints ?? [],
      non_goals: session.summary?.non_goals ?? [],
      final_free_form_answer: session.answers[finalQuestionId]?.free_text ?? '',
    },
    approval: { approved_by: '', approved_at: '' },
  };
}

function unanswered(at: string): InterviewSession['answers'][string] {
  return {
    skipped: true,
    selected_option_ids: [],
    free_text: '',
    answered_by: 'user',
    answered_at: at,
    batch: 0,
  };
}

function rounds(asked: readonly AskedQuestion[]): Interview['follow_up_rounds'] {
  const found = new Map<number, Interview['follow_up_rounds'][number]>();
  for (const { id, source, round } of asked) {
    if (!isFollowUp(source)) continue;
    const entry = found.get(round) ?? {
      round_number: round,
      source: source === 'coverage_follow_up' ? 'coverage' : 'prompt',
      question_ids: [],
    };
    found.set(round, { ...entry, question_ids: [...entry.question_ids, id] });
  }
  return [...found.values()].sort((a, b) => a.round_number - b.round_number);
}

/** The interview at its gate. One in which a model settled or left out a question is for a person to see. */
export const interviewGate: GateDocument<Interview> = {
  ...artifactDocument(interviewDocument.kind),
  rule: (_io, { questions, settled, merged, trimmed, summary }) => {
    const isSkipped = questions.every(({ answer }) => answer.skipped);
    const said = [settled, merged, trimmed, ...Object.values(summary)];
    return Promise.resolve(
      isSkipped && said.every(({ length }) => length === 0) ? 'interview_skipped' : undefined,
    );
  },
};
