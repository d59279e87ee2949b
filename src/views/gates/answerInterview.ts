import { l10n, ProgressLocation, window } from 'vscode';
import type { AnswerInput } from '../../domain/requirements/answers.ts';
import type { BatchQuestion } from '../../domain/requirements/interview.ts';
import type { Client } from '../../protocol/api.ts';
import { type OpenBatch, openQuestions } from '../../protocol/openQuestions.ts';
import { plainLabel } from '../shared/plainText.ts';
import {
  askInSteps,
  type Choice,
  pickMany,
  pickOne,
  type Reply,
  type Step,
  writeText,
} from '../shared/quickInput.ts';
import { sendAction, sendAndTell, sendsUnsent } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

type Answers = Readonly<Record<string, AnswerInput>>;
type Way =
  | { readonly by: 'option'; readonly id: string }
  | { readonly by: 'options' | 'text' | 'skip' | 'skipAll' | 'read' };

/** Characters that fit into the title of a Quick Pick. */
const longestTitle = 70;

export async function answerInterview({ repository, ticket }: TicketPlace): Promise<void> {
  const { client } = repository;
  // Before the first questions are there it is worth waiting as for the next ones.
  const isPreparing = async (): Promise<boolean> => (await client.ticket(ticket)).view.preparing;
  let batch =
    (await openQuestions(client, ticket)) ??
    ((await isPreparing()) ? await nextBatch(client, ticket, -1) : undefined);
  if (!batch) {
    void window.showInformationMessage(l10n.t('{0} has no open questions.', ticket));
    return;
  }
  while (batch) {
    const { answers, then } = await askBatch(ticket, batch);
    if (Object.keys(answers).length > 0)
      await sendAction(client, ticket, 'answer', { batch: batch.number, answers });
    if (then === 'skipAll') await skipInterview({ repository, ticket });
    if (then !== 'goOn') return;
    batch = await nextBatch(client, ticket, batch.number);
  }
}

export async function skipInterview(place: TicketPlace): Promise<void> {
  const reason = await writeText({
    title: l10n.t('{0}: skip remaining', place.ticket),
    prompt: l10n.t('Reason, shown to the models (optional)'),
  });
  if (reason.kind === 'given') await sendAndTell(place, 'skip', { reason: reason.value });
}

/** A person who leaves in the middle is asked whether to send. */
async function askBatch(
  ticket: string,
  batch: OpenBatch,
): Promise<{ readonly answers: Answers; readonly then: 'goOn' | 'leave' | 'skipAll' }> {
  const left: { said: Answers; skipsAll: boolean } = { said: {}, skipsAll: false };
  const steps = batch.questions.map((question): Step<Answers> => async (known, place) => {
    const reply = await askQuestion(question, known[question.id], {
      ...place,
      title: `${ticket}: ${question.question}`,
    });
    if (reply.kind !== 'given') return reply;
    left.skipsAll = reply.value === 'skipAll';
    if (reply.value === 'skipAll') return { kind: 'left' };
    left.said = { ...known, [question.id]: reply.value };
    return { kind: 'given', value: left.said };
  });
  const answers = await askInSteps<Answers>({}, steps);
  const { said, skipsAll } = left;
  if (answers) return { answers, then: 'goOn' };
  if (skipsAll) return { answers: said, then: 'skipAll' };
  const answered = batch.questions.filter(({ id }) => said[id]).map(({ question }) => question);
  const sends = await sendsUnsent(l10n.t('{0}: unsent answers: {1}', ticket, answered.length), answered);
  return { answers: sends ? said : {}, then: 'leave' };
}

interface Place {
  readonly title: string;
  readonly step: number;
  readonly steps: number;
  readonly back: boolean;
}

/** `said`: what was answered before the person came back. */
async function askQuestion(
  question: BatchQuestion,
  said: AnswerInput | undefined,
  place: Place,
): Promise<Reply<AnswerInput | 'skipAll'>> {
  for (;;) {
    const way = await pickOne<Way>({
      ...place,
      placeholder: l10n.t('How do you want to answer?'),
      choices: waysOf(question),
    });
    if (way.kind !== 'given') return way;
    if (way.value.by === 'read') {
      await window.showInformationMessage(question.question, { modal: true, detail: question.rationale });
      continue;
    }
    if (way.value.by === 'skipAll') return { kind: 'given', value: 'skipAll' };
    const reply = await answerBy(way.value, question, said, { ...place, back: true });
    // Back from here leads to the ways of answering, not to the question before.
    if (reply.kind !== 'back') return reply;
  }
}

async function answerBy(
  way: Way,
  question: BatchQuestion,
  said: AnswerInput | undefined,
  place: Place,
): Promise<Reply<AnswerInput>> {
  if (way.by === 'option') return { kind: 'given', value: chosen([way.id]) };
  if (way.by === 'options') {
    const isChosen = (id: string): boolean => said?.selected_option_ids.includes(id) ?? false;
    const choices = optionsOf(question).map(({ id, label }) => ({
      label: plainLabel(label),
      value: id,
      picked: isChosen(id),
    }));
    const reply = await pickMany({ ...place, placeholder: l10n.t('Any of these'), choices });
    if (reply.kind !== 'given') return reply;
    // To choose nothing is no answer, and skipping is a way of its own.
    return reply.value.length === 0 ? { kind: 'back' } : { kind: 'given', value: chosen(reply.value) };
  }
  const skip = way.by === 'skip';
  const reply = await writeText({
    ...place,
    value: (skip ? said?.skip_reason : said?.free_text) ?? '',
    prompt: skip ? l10n.t('Reason for skipping (optional)') : question.question,
    check: (text) =>
      skip || text.trim() !== '' ? undefined : l10n.t('Enter an answer, or go back and skip the question.'),
  });
  return reply.kind === 'given'
    ? { kind: 'given', value: skip ? skipped(reply.value) : written(reply.value) }
    : reply;
}

function waysOf(question: BatchQuestion): readonly Choice<Way>[] {
  const options = optionsOf(question);
  const many = question.answer_type === 'multiple_choice';
  return [
    ...(question.question.length > longestTitle
      ? [{ label: `$(book) ${l10n.t('Read the full question')}`, value: { by: 'read' } as const }]
      : []),
    ...(many && options.length > 0
      ? [
          {
            label: `$(checklist) ${l10n.t('Choose one or more options…')}`,
            detail: plainLabel(options.map(({ label }) => label).join(' · ')),
            value: { by: 'options' } as const,
          },
        ]
      : options.map(({ id, label }) => ({ label: plainLabel(label), value: { by: 'option', id } as const }))),
    {
      label: `$(pencil) ${options.length > 0 ? l10n.t('Answer in your own words…') : l10n.t('Enter an answer…')}`,
      value: { by: 'text' },
    },
    {
      label: `$(debug-step-over) ${l10n.t('Skip this question…')}`,
      description: l10n.t('the models decide'),
      value: { by: 'skip' },
    },
    { label: `$(debug-continue) ${l10n.t('Skip Remaining…')}`, value: { by: 'skipAll' } },
  ];
}

/** Undefined when the interview is over, or the person doesn't want to wait. */
async function nextBatch(client: Client, ticket: string, after: number): Promise<OpenBatch | undefined> {
  const title = l10n.t('{0}: waiting for the next questions…', ticket);
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const end = Promise.withResolvers<OpenBatch | undefined>();
      const look = async (): Promise<void> => {
        const { view } = await client.ticket(ticket);
        if (!view.actions.includes('answer') || view.hold !== null) end.resolve(undefined);
        const batch = await openQuestions(client, ticket);
        if (batch && batch.number > after) end.resolve(batch);
      };
      const lookOrFail = (): void =>
        void look().catch((error: unknown) =>
          end.reject(error instanceof Error ? error : new Error(String(error))),
        );
      const watch = client.onDidChange(lookOrFail);
      const leave = token.onCancellationRequested(() => end.resolve(undefined));
      try {
        lookOrFail();
        return await end.promise;
      } finally {
        watch.dispose();
        leave.dispose();
      }
    },
  );
}

export function optionsOf(question: BatchQuestion): BatchQuestion['options'] {
  if (question.answer_type === 'free_text') return [];
  if (question.options.length > 0 || question.answer_type !== 'yes_no') return question.options;
  return [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
}

export const skipped = (reason: string): AnswerInput => ({
  selected_option_ids: [],
  free_text: '',
  skipped: true,
  ...(reason.trim() === '' ? {} : { skip_reason: reason.trim() }),
});
export const written = (text: string): AnswerInput => ({
  selected_option_ids: [],
  free_text: text.trim(),
  skipped: false,
});
export const chosen = (ids: readonly string[]): AnswerInput => ({
  selected_option_ids: [...ids],
  free_text: '',
  skipped: false,
});
