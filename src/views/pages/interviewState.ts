import type { InterviewSession } from '../../domain/requirements/interview.ts';
import { notAsked, unaccounted } from '../../domain/requirements/interviewChecklist.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import type { InterviewState } from '../../protocol/pages/interview.ts';

/**
 * Returns the state of the interview page, from the ticket and the record of its interview (undefined until
 * there is one). `problem`: why it is paused, if it is.
 */
export function interviewState(
  detail: TicketDetail,
  session: InterviewSession | undefined,
  problem: string,
): InterviewState {
  const { view } = detail;
  const openIds = session?.currentBatch?.questionIds.filter((id) => session.answers[id] === undefined) ?? [];
  return {
    ticket: { id: view.id, title: view.title },
    phase: phaseOf(detail, session, openIds.length),
    problem,
    approvable: view.status === 'WAITING_INTERVIEW_APPROVAL',
    batch: session?.currentBatch
      ? { number: session.currentBatch.number, commentary: session.currentBatch.commentary, openIds }
      : null,
    questions: (session?.asked ?? []).map(
      ({ source: _source, round: _round, covers: _covers, ...question }) => {
        const { batch: _batch, ...answer } = session?.answers[question.id] ?? {};
        return { ...question, answer: 'skipped' in answer ? answer : null };
      },
    ),
    notAsked: session ? notAsked(session) : { settled: [], merged: [], trimmed: [] },
    expected: !session
      ? 0
      : rowOf(view.status).handler === 'quickAnswers'
        ? session.asked.length
        : expectedOf(session),
  };
}

function phaseOf(
  { view, error }: TicketDetail,
  session: InterviewSession | undefined,
  open: number,
): InterviewState['phase'] {
  if (!session) return error ? 'stopped' : 'early';
  if (error || view.hold !== null) return 'stopped';
  if (rowOf(view.status).actions.answer) return open > 0 ? 'asking' : 'thinking';
  // Coverage reads the answers, and may lead back with further questions.
  if (view.status === 'VERIFYING_INTERVIEW_COVERAGE') return 'thinking';
  return 'over';
}

/**
 * An interview that ended with everything skipped, or without all of its checklist, is as long as what was
 * asked.
 */
function expectedOf(session: InterviewSession): number {
  const { asked, summary, currentBatch } = session;
  if (summary !== null && currentBatch === null) return asked.length;
  const left = unaccounted(session).length;
  const last = asked.some(({ source }) => source === 'final_free_form') ? 0 : 1;
  return asked.length + left + last;
}
