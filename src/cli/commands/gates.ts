import { AnswersFile, recordedAnswer } from '../../domain/ticket/answersFile.ts';
import { documentOf } from '../../domain/documents/documents.ts';
import { type ApprovedKind, approvedKinds } from '../../domain/documents/workDocuments.ts';
import { setupPlanDocument } from '../../domain/documents/setupPlan.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import type { AnswerInput } from '../../domain/requirements/answers.ts';
import type { BatchQuestion } from '../../domain/requirements/interview.ts';
import { QaChecklist, qaChecklistDocument } from '../../domain/documents/qaChecklist.ts';
import { formOf } from '../../domain/workflow/forms.ts';
import { openQuestions } from '../../protocol/openQuestions.ts';
import { readArtifact, readDocument } from '../../protocol/readDocument.ts';
import { type ActionInput, actionCommand, formOptions, optionSentence } from '../drive/actionCommand.ts';
import { gateOf } from '../base/gates.ts';
import { descriptionOf } from '../drive/startTicket.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { readText, reasonOption } from '../options/options.ts';
import { UsageError } from '../base/args.ts';

export const answer = actionCommand({
  name: 'answer',
  kind: 'answer',
  words: 'QUESTION=ANSWER …',
  about: 'answer interview questions; ANSWER is an option, comma-separated options, or text',
  takes: [0, 50],
  options: { file: { value: 'FILE', about: 'read the answers from a file in the format of --answers' } },
  body: async (input) => {
    const batch = await openQuestions(input.client, input.detail.ticket.id);
    if (!batch) throw invalidInput('The answer', 'no question is open');
    const file = input.args.text('file');
    const recorded = file === undefined ? [] : await parsedAnswers(file, await readText(input.context, file));
    const answers: Record<string, AnswerInput> = {};
    for (const question of batch.questions) {
      const given = recordedAnswer(recorded, question);
      if (given) answers[question.id] = given;
    }
    for (const [id, value] of input.words.map(pairOf))
      answers[id] = wordAnswer(questionOf(batch.questions, id), value);
    if (Object.keys(answers).length === 0)
      throw new UsageError('Specify QUESTION=ANSWER, or --file FILE with answers to the open questions.');
    return { batch: batch.number, answers };
  },
});

export const skip = actionCommand({
  name: 'skip',
  kind: 'skip',
  words: '[QUESTION …]',
  about: 'skip interview questions (all open ones by default), or manual QA',
  takes: [0, 50],
  options: reasonOption,
  body: ({ args, words }) => ({
    ...(words.length > 0 ? { ids: [...words] } : {}),
    reason: args.text('reason') ?? '',
  }),
});

/** Guarded by the hash of what the gate shows. */
export const approve = actionCommand({
  name: 'approve',
  kind: 'approve',
  about: optionSentence(formOf('approve').about),
  options: {
    sha256: { value: 'HASH', about: 'hash of the version you reviewed; default: the current version' },
    ...formOptions('approve'),
  },
  body: ({ args, detail }) => {
    const sha256 = args.text('sha256') ?? detail.gate?.sha256;
    if (sha256 === undefined) throw notHere(detail);
    return { sha256, reason: args.text('reason') ?? '' };
  },
});

export const edit = actionCommand({
  name: 'edit',
  kind: 'edit',
  words: '[ARTIFACT] --file FILE',
  about:
    'replace a document (interview, prd, beads, execution_setup_plan) with a file; for a draft ticket, use --title, --description-file or --priority',
  takes: [0, 1],
  options: {
    file: { value: 'FILE', about: 'new content; - for standard input' },
    base: { value: 'HASH', about: 'hash of the version you changed; default: the current version' },
    title: { value: 'TEXT', about: 'new title of a draft' },
    description: { value: 'TEXT', about: 'new description of a draft' },
    'description-file': { value: 'FILE', about: 'read the new description from a file' },
    priority: { value: '1..5', about: 'new priority of a draft' },
  },
  body: editBody,
});

export const qa = actionCommand({
  name: 'qa',
  kind: 'qa',
  words: 'ITEM=pass ITEM=waive ITEM="fail: what you saw" …',
  about: "record manual QA; use --pass-rest for the items that aren't listed",
  takes: [0, 100],
  options: { 'pass-rest': { about: 'mark all unlisted items as passed' } },
  body: async ({ client, detail, args, words }) => {
    const checklist = await readArtifact(client, detail.ticket.id, qaChecklistDocument.kind, QaChecklist);
    const results: InboxBody<'qa'>['results'] = {};
    if (args.flag('pass-rest'))
      for (const item of checklist?.items ?? []) results[item.id] = { result: 'pass', observation: '' };
    for (const [id, value] of words.map(pairOf)) {
      const [, word, observation = ''] = /^(pass|fail|waive)(?::\s*([\s\S]*))?$/.exec(value) ?? [];
      const result = (['pass', 'fail', 'waive'] as const).find((one) => one === word);
      if (!result)
        throw new UsageError(
          `"${id}=${value}" should be ${id}=pass, ${id}=waive or ${id}="fail: what you saw".`,
        );
      results[id] = { result, observation };
    }
    if (Object.keys(results).length === 0)
      throw new UsageError('Specify ITEM=pass, ITEM=waive or ITEM="fail: what you saw", or --pass-rest.');
    return { results };
  },
});

async function editBody(input: ActionInput): Promise<InboxBody<'edit'>> {
  const { context, args, words, client, detail } = input;
  if (detail.ticket.status === 'DRAFT') return draftEdit(input);
  const artifact = inEdit(words[0] ?? detail.gate?.artifact);
  const file = args.text('file');
  if (file === undefined) throw new UsageError('Specify --file FILE with the new content.');
  const document = documentOf(artifact);
  const { id } = detail.ticket;
  const present = document.rows
    ? (await client.beads(id)).sha256
    : (await client.artifact(id, artifact))?.info.sha256;
  return {
    artifact,
    baseSha256: args.text('base') ?? present ?? null,
    content: await readText(context, file),
    surface: document.format === 'jsonl' ? 'jsonl' : 'raw',
  };
}

async function draftEdit({ context, args, detail }: ActionInput): Promise<InboxBody<'edit'>> {
  const { ticket } = detail;
  const description = await descriptionOf(context, args);
  const title = args.text('title');
  const priority = args.whole('priority');
  if (title === undefined && description === undefined && priority === undefined)
    throw new UsageError('For a draft, specify --title, --description-file or --priority.');
  const content = JSON.stringify({
    title: title ?? ticket.title,
    description: description ?? ticket.description,
    priority,
  });
  return { artifact: 'ticket', baseSha256: null, content, surface: 'structured' };
}

function inEdit(word: string | undefined): ApprovedKind {
  const named = word === 'setup' ? setupPlanDocument.kind : word;
  const kind = approvedKinds.find((one) => one === named);
  if (kind) return kind;
  const all = `${approvedKinds.slice(0, -1).join(', ')} or ${approvedKinds.at(-1) ?? ''}`;
  throw new UsageError(`Specify what to edit: ${all}.`);
}

async function parsedAnswers(file: string, text: string): Promise<AnswersFile> {
  const result = AnswersFile.safeParse(await readDocument(text));
  if (result.success) return result.data;
  throw invalidInput(file, result.error.message);
}

function pairOf(word: string): readonly [id: string, value: string] {
  const at = word.indexOf('=');
  if (at <= 0) throw new UsageError(`"${word}" should be ID=VALUE.`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function questionOf(questions: readonly BatchQuestion[], id: string): BatchQuestion {
  const question = questions.find((one) => one.id === id);
  if (question) return question;
  const open = questions.map((one) => one.id).join(', ');
  throw invalidInput('The answer', `no question "${id}" is open; open: ${open}`);
}

/** Options if every part between commas is one, else free text. */
function wordAnswer(question: BatchQuestion, value: string): AnswerInput {
  const select =
    question.answer_type === 'multiple_choice' ? value.split(',').map((part) => part.trim()) : [value.trim()];
  if (question.answer_type !== 'free_text') {
    try {
      return recordedAnswer([{ match: question.id, select }], question) ?? text(value);
    } catch (error) {
      if (!(error instanceof BeadsmithError)) throw error;
      // It names no option, so it is text, which every question takes.
    }
  }
  return text(value);
}

function text(value: string): AnswerInput {
  return { selected_option_ids: [], free_text: value, skipped: false };
}

function notHere({ ticket, view: { label, actions } }: TicketDetail): BeadsmithError {
  return new BeadsmithError('ACTION_NOT_ALLOWED', {
    status: gateOf(ticket.status) ? `${label} (nothing to approve yet)` : label,
    action: 'approve',
    allowed: actions.join(', '),
  });
}
