import * as z from 'zod';
import { invalidInput } from '../core/errors.ts';
import { type AnswerInput, yesAndNo } from '../requirements/answers.ts';
import type { BatchQuestion } from '../requirements/interview.ts';

const Match = z
  .string()
  .trim()
  .min(1, 'Say which question is meant: its id, words of it, or "*" for every other one.');

/**
 * Recorded interview answers: `{match, select}`, `{match, text}` (or both) or `{match, skip: true, reason}`.
 * `match`: a question's id, a piece of its text (any case), or `*` for the rest. `select`: option ids or
 * labels.
 */
export const AnswersFile = z
  .array(
    z
      .object({
        match: Match,
        select: z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1)]).optional(),
        text: z.string().max(20_000).optional(),
        skip: z.literal(true).optional(),
        reason: z.string().max(20_000).optional(),
      })
      .strict()
      .refine((entry) => (entry.skip === true) !== (entry.select !== undefined || entry.text !== undefined), {
        message: 'An entry has either "skip: true", or "select" and/or "text".',
      })
      .refine((entry) => entry.reason === undefined || entry.skip === true, {
        message: 'Only a skip has a reason.',
      }),
  )
  .max(500);
export type AnswersFile = z.infer<typeof AnswersFile>;

/**
 * A question's recorded answer, if any: by id, then by text, then by `*`; the first counts. Throws
 * INVALID_INPUT for an option that the question doesn't have.
 */
export function recordedAnswer(file: AnswersFile, question: BatchQuestion): AnswerInput | undefined {
  const words = question.question.toLowerCase();
  const entry =
    file.find(({ match }) => match === question.id) ??
    file.find(({ match }) => match !== '*' && words.includes(match.toLowerCase())) ??
    file.find(({ match }) => match === '*');
  if (!entry) return undefined;
  if (entry.skip)
    return {
      selected_option_ids: [],
      free_text: '',
      skipped: true,
      ...(entry.reason ? { skip_reason: entry.reason } : {}),
    };
  const selected = (entry.select ?? []).map((wanted) => optionId(question, wanted));
  return { selected_option_ids: selected, free_text: entry.text ?? '', skipped: false };
}

function optionId(question: BatchQuestion, wanted: string): string {
  const name = wanted.trim().toLowerCase();
  const options =
    question.options.length > 0 || question.answer_type !== 'yes_no' ? question.options : yesAndNo;
  const found =
    options.find(({ id }) => id === wanted) ??
    options.find(({ id, label }) => [id, label.trim()].some((text) => text.toLowerCase() === name));
  if (found) return found.id;
  const labels = options.map(({ label }) => label).join(', ') || 'none';
  throw invalidInput(
    'The answers file',
    `question ${question.id} has no option "${wanted}"; its options: ${labels}.`,
  );
}
