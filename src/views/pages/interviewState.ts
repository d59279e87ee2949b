import { InterviewSession } from '../../domain/requirements/interview.ts';
import type { InterviewState } from '../../protocol/pages/interview.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { notAsked, unaccounted } from '../../domain/requirements/interviewChecklist.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import { blockedText } from '../shared/errorText.ts';
import { holdName } from '../shared/statusTexts.ts';

/** `session`: undefined until the interview has a record. `problem`: why it is paused, if it is. */
export function interviewState(
  detail: TicketDetail,
  session: InterviewSession | undefined,
  problem: string,
): InterviewState {
  const { view } = detail;
  const openIds = session?.currentBatch?.questionIds.filter((id) => session.answers[id] === undefined) ?? [];
  return {
    phase: phaseOf(detail, session, openIds.length),
    problem,
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
  { view, ticket, error }: TicketDetail,
  session: InterviewSession | undefined,
  open: number,
): InterviewState['phase'] {
  if (!session) return error ? 'stopped' : 'early';
  // What stops later than in the interview doesn't stop that.
  const { band, handler } = rowOf(error ? (ticket.previousStatus ?? view.status) : view.status);
  if (!(band === 'interview' || band === 'errors') || handler === 'approve') return 'over';
  if (error || view.hold !== null) return 'stopped';
  if (rowOf(view.status).actions.answer) return open > 0 ? 'asking' : 'thinking';
  // Coverage reads the answers, and may lead back with further questions.
  if (view.status === 'VERIFYING_INTERVIEW_COVERAGE') return 'thinking';
  return 'over';
}

/** An interview that ended early is as long as what was asked. */
function expectedOf(session: InterviewSession): number {
  const { asked, summary, currentBatch } = session;
  if (summary !== null && currentBatch === null) return asked.length;
  const left = unaccounted(session).length;
  const last = asked.some(({ source }) => source === 'final_free_form') ? 0 : 1;
  return asked.length + left + last;
}

/** Null: nothing was asked yet, and nothing will be. */
export async function readInterview(client: Client, ticket: string): Promise<InterviewState | null> {
  const [detail, session] = await Promise.all([
    client.ticket(ticket),
    readArtifact(client, ticket, 'interview_session', InterviewSession),
  ]);
  if (!session && rowOf(detail.view.status).band !== 'interview') return null;
  const hold = detail.view.hold === null ? '' : holdName(detail.view.hold);
  return interviewState(detail, session, blockedText(detail) || hold);
}
