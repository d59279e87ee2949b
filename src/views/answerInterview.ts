import { l10n, ProgressLocation, window } from 'vscode';
import type { AnswerInput, BatchQuestion } from '../domain/interview.ts';
import type { Client } from '../protocol/api.ts';
import { type OpenBatch, openQuestions } from '../protocol/openQuestions.ts';
import { chosen, optionsOf, skipped, written } from './answerInputs.ts';
import { plainLabel } from './plainLabel.ts';
import { type Choice, pickMany, pickOne, type Reply, writeText } from './quickInput.ts';
import { sendAction } from './sendAction.ts';
import { sendAndTell } from './sendAndTell.ts';
import { askInSteps, type Step } from './steps.ts';
import type { TicketPlace } from './workbench.ts';

type Answers = Readonly<Record<string, AnswerInput>>;
type Way = { readonly by: 'option'; readonly id: string } | { readonly by: 'options' | 'text' | 'skip' | 'skipAll' | 'read' };

/** What fits into the title of a Quick Pick. */
const longestTitle = 70;

/** Asks the questions of a batch, sends the answers, and goes on with the next batch until there is none. */
export async function answerInterview({ repository, ticket }: TicketPlace): Promise<void> {
  const { client } = repository;
  let batch = await openQuestions(client, ticket);
  if (!batch) {
    void window.showInformationMessage(l10n.t('{0} asks nothing right now.', ticket));
    return;
  }
  while (batch) {
    const outcome = await askBatch(ticket, batch);
    if (outcome === undefined) return;
    if (outcome === 'skipAll') {
      await skipInterview({ repository, ticket });
      return;
    }
    await sendAction(client, ticket, 'answer', { batch: batch.number, answers: outcome });
    batch = await nextBatch(client, ticket, batch.number);
  }
}

/** Leaves everything that is still open to the models, after asking for a reason. */
export async function skipInterview(place: TicketPlace): Promise<void> {
  const reason = await writeText({
    title: l10n.t('{0}: skip everything that is still open', place.ticket),
    prompt: l10n.t('Why? The models read this. (optional)'),
  });
  if (reason.kind === 'given') await sendAndTell(place, 'skip', { reason: reason.value });
}

async function askBatch(ticket: string, batch: OpenBatch): Promise<Answers | 'skipAll' | undefined> {
  const left = { all: false };
  const steps = batch.questions.map((question): Step<Answers> => async (known, place) => {
    const reply = await askQuestion(question, { ...place, title: `${ticket}: ${question.question}` });
    if (reply.kind !== 'given') return reply;
    left.all = reply.value === 'skipAll';
    return reply.value === 'skipAll' ? { kind: 'left' } : { kind: 'given', value: { ...known, [question.id]: reply.value } };
  });
  const answers = await askInSteps<Answers>({}, steps);
  return left.all ? 'skipAll' : answers;
}

interface Place {
  readonly title: string;
  readonly step: number;
  readonly steps: number;
  readonly back: boolean;
}

async function askQuestion(question: BatchQuestion, place: Place): Promise<Reply<AnswerInput | 'skipAll'>> {
  for (;;) {
    const way = await pickOne<Way>({ ...place, placeholder: l10n.t('How do you want to answer?'), choices: waysOf(question) });
    if (way.kind !== 'given') return way;
    if (way.value.by === 'read') {
      await window.showInformationMessage(question.question, { modal: true, detail: question.rationale });
      continue;
    }
    if (way.value.by === 'skipAll') return { kind: 'given', value: 'skipAll' };
    const reply = await answerBy(way.value, question, { ...place, back: true });
    // Back from here leads to the ways of answering, not to the question before.
    if (reply.kind !== 'back') return reply;
  }
}

async function answerBy(way: Way, question: BatchQuestion, place: Place): Promise<Reply<AnswerInput>> {
  if (way.by === 'option') return { kind: 'given', value: chosen([way.id]) };
  if (way.by === 'options') {
    const choices = optionsOf(question).map(({ id, label }) => ({ label: plainLabel(label), value: id }));
    const reply = await pickMany({ ...place, placeholder: l10n.t('Any number of these'), choices });
    return reply.kind === 'given' ? { kind: 'given', value: chosen(reply.value) } : reply;
  }
  const skip = way.by === 'skip';
  const reply = await writeText({
    ...place,
    prompt: skip ? l10n.t('Why do you skip it? (optional)') : question.question,
    check: (text) => (skip || text.trim() !== '' ? undefined : l10n.t('Write an answer, or go back and skip the question.')),
  });
  return reply.kind === 'given' ? { kind: 'given', value: skip ? skipped(reply.value) : written(reply.value) } : reply;
}

function waysOf(question: BatchQuestion): readonly Choice<Way>[] {
  const options = optionsOf(question);
  const many = question.answer_type === 'multiple_choice';
  return [
    ...(question.question.length > longestTitle
      ? [{ label: `$(book) ${l10n.t('Read the whole question')}`, value: { by: 'read' } as const }]
      : []),
    ...(many && options.length > 0
      ? [
          {
            label: `$(checklist) ${l10n.t('Choose any number of options…')}`,
            detail: plainLabel(options.map(({ label }) => label).join(' · ')),
            value: { by: 'options' } as const,
          },
        ]
      : options.map(({ id, label }) => ({ label: plainLabel(label), value: { by: 'option', id } as const }))),
    { label: `$(pencil) ${options.length > 0 ? l10n.t('Answer in your own words…') : l10n.t('Write an answer…')}`, value: { by: 'text' } },
    { label: `$(debug-step-over) ${l10n.t('Skip this question…')}`, description: l10n.t('the models decide'), value: { by: 'skip' } },
    { label: `$(debug-continue) ${l10n.t('Skip everything that is left…')}`, value: { by: 'skipAll' } },
  ];
}

/** The batch after this one; undefined when the interview is over, or the person doesn't want to wait. */
async function nextBatch(client: Client, ticket: string, after: number): Promise<OpenBatch | undefined> {
  const title = l10n.t('{0}: waiting for the next questions …', ticket);
  return window.withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, async (_progress, token) => {
    const end = Promise.withResolvers<OpenBatch | undefined>();
    const look = async (): Promise<void> => {
      const { view } = await client.ticket(ticket);
      if (view.status !== 'WAITING_INTERVIEW_ANSWERS' || view.hold !== null) end.resolve(undefined);
      const batch = await openQuestions(client, ticket);
      if (batch && batch.number > after) end.resolve(batch);
    };
    const lookOrFail = (): void =>
      void look().catch((error: unknown) => end.reject(error instanceof Error ? error : new Error(String(error))));
    const watch = client.onDidChange(lookOrFail);
    const leave = token.onCancellationRequested(() => end.resolve(undefined));
    try {
      lookOrFail();
      return await end.promise;
    } finally {
      watch.dispose();
      leave.dispose();
    }
  });
}
