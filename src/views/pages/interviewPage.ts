import { l10n } from 'vscode';
import { InterviewSession } from '../../domain/requirements/interview.ts';
import { interviewPage as contract, type InterviewPage } from '../../protocol/pages/interview.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { blockedText } from '../shared/errorText.ts';
import { holdName } from '../shared/statusTexts.ts';
import { interviewState } from './interviewState.ts';
import { actFromPage, runFromPage } from './pageActions.ts';
import type { PageKind } from './pageKind.ts';

/** Number of characters that fit into one line beside "the model is thinking". */
const longestHint = 160;

/** The page on which the interview is answered. */
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
