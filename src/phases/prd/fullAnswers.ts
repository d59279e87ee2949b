import { stringify } from 'yaml';
import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import { FilledAnswers, Interview, interviewDocument } from '../../domain/requirements/interview.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, RecordIo } from '../../engine/run/run.ts';
import { isoNow, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import type { OnProviderFailure } from '../shared/structured/askTypes.ts';
import { ask } from '../shared/ask/ask.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';

type Question = Interview['questions'][number];
type Filled = z.infer<typeof FilledAnswers>;

/**
 * Part one of DRAFTING_PRD: a member answers what the user skipped, and nothing else is touched
 * (docs/decisions/023-full-answers-and-prd.md). Without a skipped question there is no call. The result is
 * the artifact `full_answers:<member>`.
 */
export async function fullAnswers(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly member: string;
    readonly skipped: readonly Question[];
    readonly sections: readonly Section[];
    readonly onProviderFailure: OnProviderFailure;
  },
): Promise<void> {
  const { member, skipped } = options;
  if (skipped.length === 0) {
    await run.record('full-answers', z.null(), async (io) => {
      await save(io, ticket, member, { questions: [] });
      return null;
    });
    return;
  }
  await ask(run, ticket, {
    key: 'full-answers',
    contextKey: 'full_answers_fill',
    prompt: 'full-answers',
    member,
    sections: [
      ...options.sections,
      {
        name: 'runtime_checklist',
        content: stringify({ questions: skipped.map((question) => question.id) }),
      },
    ],
    parse: parseStructured({ schema: FilledAnswers, check: (filled) => problemOf(filled, skipped) }),
    result: FilledAnswers,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    onProviderFailure: options.onProviderFailure,
    accept: (io, filled) => save(io, ticket, member, filled),
  });
}

/** Every skipped question once, choices from what is offered, texts that say something. */
function problemOf(filled: Filled, skipped: readonly Question[]): string | undefined {
  const missing = skipped
    .filter(({ id }) => filled.questions.filter((answer) => answer.id === id).length !== 1)
    .map(({ id }) => id);
  if (missing.length > 0) return `questions: each of ${missing.join(', ')} has to be answered exactly once.`;
  for (const question of skipped) {
    const answer = filled.questions.find(({ id }) => id === question.id)?.answer;
    const problem = answer && answerProblem(question, answer);
    if (problem !== undefined) return `questions.${question.id}: ${problem}`;
  }
  return undefined;
}

function answerProblem(
  question: Question,
  answer: Filled['questions'][number]['answer'],
): string | undefined {
  const ids = answer.selected_option_ids;
  if (question.answer_type === 'free_text')
    return answer.free_text.trim() === '' ? 'free_text is empty.' : undefined;
  const odd = ids.filter((id) => !question.options.some((option) => option.id === id));
  if (odd.length > 0) return `there is no option ${odd.join(', ')}.`;
  if (ids.length === 0) return 'no option is selected.';
  return question.answer_type !== 'multiple_choice' && ids.length > 1
    ? 'only one option may be selected.'
    : undefined;
}

async function save(io: RecordIo, ticket: TicketSnapshot, member: string, filled: Filled): Promise<void> {
  const { document } = await storedDocument(io, interviewDocument.kind, Interview);
  const at = isoNow(io);
  const questions = document.questions.map((question) => {
    if (!question.answer.skipped) return question;
    const answer = filled.questions.find(({ id }) => id === question.id)?.answer;
    const skipReason = question.answer.skip_reason;
    return {
      ...question,
      answer: {
        skipped: false,
        selected_option_ids: question.answer_type === 'free_text' ? [] : (answer?.selected_option_ids ?? []),
        free_text: answer?.free_text ?? '',
        answered_by: 'ai_skip' as const,
        answered_at: at,
        ...(skipReason === undefined ? {} : { skip_reason: skipReason }),
      },
    };
  });
  const full: Interview = {
    ...document,
    status: 'draft',
    questions,
    approval: { approved_by: '', approved_at: '' },
  };
  io.save({
    type: 'artifact',
    artifact: `full_answers:${member}`,
    content: yamlText(full),
    status: ticket.status,
    attempt: ticket.attempt,
  });
}
