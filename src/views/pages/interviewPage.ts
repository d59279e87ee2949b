import { l10n } from 'vscode';
import { InterviewSession } from '../../domain/requirements/interview.ts';
import {
  type InterviewPage,
  interviewPage as contract,
  type InterviewState,
} from '../../protocol/pages/interview.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { notAsked, unaccounted } from '../../domain/requirements/interviewChecklist.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { blockedText } from '../shared/errorText.ts';
import { holdName } from '../shared/statusTexts.ts';
import { actFromPage, runFromPage } from './pageActions.ts';
import type { PageKind } from './pageKind.ts';

/** `session`: undefined until the interview has a record. `problem`: why it is paused, if it is. */
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

/** An interview that ended early is as long as what was asked. */
function expectedOf(session: InterviewSession): number {
  const { asked, summary, currentBatch } = session;
  if (summary !== null && currentBatch === null) return asked.length;
  const left = unaccounted(session).length;
  const last = asked.some(({ source }) => source === 'final_free_form') ? 0 : 1;
  return asked.length + left + last;
}

/** Characters that fit beside "the model is thinking". */
const longestHint = 160;

export const interviewPage: PageKind<InterviewPage> = {
  contract,
  title: (ticket, state) => {
    if (state?.phase !== 'asking') return l10n.t('{0}: Interview', ticket);
    const answered = state.questions.filter(({ answer }) => answer !== null).length;
    return l10n.t('{0}: Interview ({1}/{2})', ticket, answered, state.expected);
  },
  build: async ({ repository: { client }, ticket }) => {
    const [detail, session] = await Promise.all([
      client.ticket(ticket),
      readArtifact(client, ticket, 'interview_session', InterviewSession),
    ]);
    const hold = detail.view.hold === null ? '' : holdName(detail.view.hold);
    return interviewState(detail, session, blockedText(detail) || hold);
  },
  requests: (place, workbench) => ({
    act: (filed) => actFromPage(place, filed),
    run: (named) => runFromPage(place, workbench, named),
  }),
  hint: (event) => {
    if (event.type !== 'activity' || event.text.trim() === '') return undefined;
    return { text: event.text.trim().replaceAll(/\s+/g, ' ').slice(-longestHint) };
  },
};
