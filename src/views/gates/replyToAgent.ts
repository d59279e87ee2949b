import { l10n, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { errorTexts } from '../../domain/core/errorTexts.ts';
import {
  type AgentQuestion,
  isCut,
  isOfEngine,
  permissionText,
  type PendingRequest,
  takesWords,
} from '../../domain/ticket/agentRequest.ts';
import { countHidden, hiddenSentence, visible } from '../../base/visible.ts';
import { words } from '../shared/errorText.ts';
import { askWhole } from '../shared/askWhole.ts';
import { plainLabel } from '../shared/plainText.ts';
import {
  askInSteps,
  changed,
  type Choice,
  pickMany,
  pickOne,
  type Question,
  type Reply,
  type Step,
  writeText,
} from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { Support, TicketPlace } from '../shared/workbench.ts';

/** Null: the agent shall decide. */
type Answers = readonly (readonly string[])[] | null;
type Content<K> = Extract<PendingRequest['content'], { kind: K }>;

export async function replyToAgent(place: TicketPlace, support: Pick<Support, 'show'>): Promise<void> {
  const { repository, ticket } = place;
  const [request] = (await repository.client.ticket(ticket)).requests;
  if (!request) {
    void window.showInformationMessage(l10n.t('No agent of {0} is waiting for you.', ticket));
    return;
  }
  const { id, content } = request;
  if (content.kind === 'permission') {
    const allow = await decide(ticket, request.source, content, support);
    if (allow !== undefined) await sendAndTell(place, 'permission_reply', { request: id, allow });
    return;
  }
  const steps = content.questions.map((question, index) =>
    askQuestion(ticket, { question, index, engine: isOfEngine(request) }, support),
  );
  const answers = await askInSteps<Answers>([], steps);
  if (answers === undefined) return;
  await sendAndTell(place, 'question_reply', {
    request: id,
    answers: answers && answers.map((answer) => [...answer]),
  });
}

async function decide(
  ticket: string,
  source: string,
  content: Content<'permission'>,
  support: Pick<Support, 'show'>,
): Promise<boolean | undefined> {
  const [allow, deny] = [l10n.t('Allow Once'), l10n.t('Deny')];
  const text = joined([content.command, content.patterns.join('\n')], '\n\n');
  const count = countHidden(text);
  const warnings = [
    ...(isCut(content) ? errorTexts.REQUEST_CUT.map((sentence) => l10n.t(sentence)) : []),
    ...(count > 0 ? [l10n.t(hiddenSentence, count)] : []),
  ];
  const detail = [...warnings, visible(text)].join('\n\n');
  const message = l10n.t(
    '{0}: may {1} {2}?',
    ticket,
    visible(source),
    visible(permissionText(content, words)),
  );
  const buttons = isCut(content) ? [deny] : [allow, deny];
  const answer = await askWhole(message, detail, buttons, support);
  return answer === undefined ? undefined : answer === allow;
}

/** `engine`: nothing is left to an agent. */
interface Asked {
  readonly question: AgentQuestion;
  readonly index: number;
  readonly engine: boolean;
}

/** The line above a list cuts a longer text. */
const longestQuestion = 280;

function askQuestion(
  ticket: string,
  { question, index, engine }: Asked,
  support: Pick<Support, 'show'>,
): Step<Answers> {
  return async (known, place) => {
    if (known === null) return { kind: 'given', value: null };
    const title = question.header === '' ? ticket : `${ticket}: ${question.header}`;
    const text = visible(question.text);
    const isLong = text.length > longestQuestion || text.includes('\n');
    if (isLong) await support.show('request.txt', `${title}\n\n${text}\n`);
    const asked = {
      ...place,
      title,
      placeholder: isLong ? l10n.t('The full request is open in the editor.') : text,
    };
    const answer = question.multiple
      ? await pickSeveral(asked, question, engine)
      : await pickAnswer(asked, question, engine);
    if (answer.kind !== 'given') return answer;
    return { kind: 'given', value: answer.value && [...known.slice(0, index), answer.value] };
  };
}

type Chosen = { readonly label: string } | 'other' | 'decide';

async function pickAnswer(
  asked: Question,
  question: AgentQuestion,
  engine: boolean,
): Promise<Reply<readonly string[] | null>> {
  const reply = await pickOne<Chosen>({ ...asked, choices: choicesOf(question, engine) });
  if (reply.kind !== 'given') return reply;
  if (reply.value === 'decide') return { kind: 'given', value: null };
  return reply.value === 'other' ? writeOwn(asked, question) : { kind: 'given', value: [reply.value.label] };
}

async function pickSeveral(
  asked: Question,
  question: AgentQuestion,
  engine: boolean,
): Promise<Reply<readonly string[] | null>> {
  const reply = await pickMany<Chosen>({ ...asked, choices: choicesOf(question, engine) });
  if (reply.kind !== 'given') return reply;
  if (reply.value.includes('decide') || reply.value.length === 0) return { kind: 'given', value: null };
  const labels = reply.value.flatMap((value) => (typeof value === 'object' ? [value.label] : []));
  if (!reply.value.includes('other')) return { kind: 'given', value: labels };
  const own = await writeOwn(asked, question);
  return changed(own, (value) => [...labels, ...value]);
}

function choicesOf(question: AgentQuestion, engine: boolean): readonly Choice<Chosen>[] {
  const decide = {
    label: `$(sparkle) ${l10n.t('Let the agent decide')}`,
    detail: l10n.t('The agent continues and reports what it decided.'),
    value: 'decide' as const,
  };
  return [
    ...question.options.map(({ label, description }) => ({
      label: plainLabel(label),
      detail: plainLabel(description),
      value: { label },
    })),
    ...(takesWords(question) ? [{ label: `$(edit) ${l10n.t('Other…')}`, value: 'other' as const }] : []),
    ...(engine ? [] : [decide]),
  ];
}

async function writeOwn(asked: Question, { text }: AgentQuestion): Promise<Reply<readonly string[]>> {
  const check = (value: string): string | undefined =>
    value.trim() === '' ? l10n.t('Enter an answer.') : undefined;
  const reply = await writeText({ ...asked, placeholder: '', prompt: text, check });
  return changed(reply, (value) => [value.trim()]);
}
