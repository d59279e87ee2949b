import { l10n, window } from 'vscode';
import type { RequestContent } from '../../domain/agentRequest.ts';
import { type AgentQuestion, type PendingRequest, takesWords } from '../../domain/agentRequest.ts';
import { plainLabel } from '../shared/plainText.ts';
import { type Choice, pickMany, pickOne, type Question, type Reply, writeText } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAndTell.ts';
import { askInSteps, type Step } from '../shared/steps.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** What an agent wants to be allowed, as an infinitive; OpenCode's own word where there is no better one. */
export function permissionText({ permission }: Extract<RequestContent, { kind: 'permission' }>): string {
  switch (permission) {
    case 'external_directory':
      return l10n.t('leave its worktree');
    case 'bash':
      return l10n.t('run this');
    case 'edit':
      return l10n.t('change this');
    case 'webfetch':
      return l10n.t('look this up on the web');
    default:
      return l10n.t('use {0}', permission);
  }
}

/** What was said so far; null: the agent shall decide. */
type Answers = readonly (readonly string[])[] | null;
type Content<K> = Extract<PendingRequest['content'], { kind: K }>;

/** Answers what an agent of the ticket waits for. */
export async function replyToAgent(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const [request] = (await repository.client.ticket(ticket)).requests;
  if (!request) {
    void window.showInformationMessage(l10n.t('No agent of {0} is waiting for you.', ticket));
    return;
  }
  const { id, content } = request;
  if (content.kind === 'permission') {
    const allow = await decide(ticket, request.source, content);
    if (allow !== undefined) await sendAndTell(place, 'permission_reply', { request: id, allow });
    return;
  }
  const steps = content.questions.map((question, index) => askQuestion(ticket, question, index));
  const answers = await askInSteps<Answers>([], steps);
  if (answers === undefined) return;
  await sendAndTell(place, 'question_reply', { request: id, answers: answers && answers.map((answer) => [...answer]) });
}

/** The whole command is shown as it is: it may be long, and it is what is being allowed. Undefined when the person left. */
async function decide(ticket: string, source: string, content: Content<'permission'>): Promise<boolean | undefined> {
  const [allow, deny] = [l10n.t('Allow Once'), l10n.t('Deny')];
  const detail = [content.command, content.patterns.join('\n')].filter((part) => part !== '').join('\n\n');
  const message = l10n.t('{0}: may {1} {2}?', ticket, source, permissionText(content));
  const answer = await window.showWarningMessage(message, { modal: true, detail }, allow, deny);
  return answer === undefined ? undefined : answer === allow;
}

function askQuestion(ticket: string, question: AgentQuestion, index: number): Step<Answers> {
  return async (known, place) => {
    if (known === null) return { kind: 'given', value: null };
    const title = question.header === '' ? ticket : `${ticket}: ${question.header}`;
    const asked = { ...place, title, placeholder: question.text };
    const answer = question.multiple ? await pickSeveral(asked, question) : await pickAnswer(asked, question);
    if (answer.kind !== 'given') return answer;
    return { kind: 'given', value: answer.value && [...known.slice(0, index), answer.value] };
  };
}

type Chosen = { readonly label: string } | 'other' | 'decide';

async function pickAnswer(asked: Question, question: AgentQuestion): Promise<Reply<readonly string[] | null>> {
  const reply = await pickOne<Chosen>({ ...asked, choices: choicesOf(question) });
  if (reply.kind !== 'given') return reply;
  if (reply.value === 'decide') return { kind: 'given', value: null };
  return reply.value === 'other' ? writeOwn(asked, question) : { kind: 'given', value: [reply.value.label] };
}

async function pickSeveral(asked: Question, question: AgentQuestion): Promise<Reply<readonly string[] | null>> {
  const reply = await pickMany<Chosen>({ ...asked, choices: choicesOf(question) });
  if (reply.kind !== 'given') return reply;
  if (reply.value.includes('decide') || reply.value.length === 0) return { kind: 'given', value: null };
  const labels = reply.value.flatMap((value) => (typeof value === 'object' ? [value.label] : []));
  if (!reply.value.includes('other')) return { kind: 'given', value: labels };
  const own = await writeOwn(asked, question);
  return own.kind === 'given' ? { kind: 'given', value: [...labels, ...own.value] } : own;
}

function choicesOf(question: AgentQuestion): readonly Choice<Chosen>[] {
  return [
    ...question.options.map(({ label, description }) => ({ label: plainLabel(label), detail: plainLabel(description), value: { label } })),
    ...(takesWords(question) ? [{ label: `$(edit) ${l10n.t('Other…')}`, value: 'other' as const }] : []),
    {
      label: `$(sparkle) ${l10n.t('Let the agent decide')}`,
      detail: l10n.t('The agent continues and reports what it decided.'),
      value: 'decide',
    },
  ];
}

async function writeOwn(asked: Question, { text }: AgentQuestion): Promise<Reply<readonly string[]>> {
  const check = (value: string): string | undefined => (value.trim() === '' ? l10n.t('Enter an answer.') : undefined);
  const reply = await writeText({ ...asked, placeholder: '', prompt: text, check });
  return reply.kind === 'given' ? { kind: 'given', value: [reply.value.trim()] } : reply;
}
