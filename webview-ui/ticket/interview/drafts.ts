import * as z from 'zod';
import { canonicalJson } from '../../../src/base/json.ts';
import type { Answer, AnswerInput } from '../../../src/domain/requirements/answers.ts';
import type { PageQuestion } from '../../../src/protocol/pages/interview.ts';

const Draft = z.object({
  selected: z.array(z.string()),
  text: z.string(),
  skip: z.boolean(),
  reason: z.string(),
});
/** Not sent yet. */
export type Draft = z.infer<typeof Draft>;
/** Drafts by question. An interview that is regenerated asks others under the same ids. */
export const Drafts = z.record(z.string(), Draft.extend({ about: z.string() }));
export type Drafts = z.infer<typeof Drafts>;

export const emptyDraft: Draft = { selected: [], text: '', skip: false, reason: '' };

/** Without options that are gone; undefined when nothing is unsent. */
export function keptDraft(drafts: Drafts, question: PageQuestion): Draft | undefined {
  const draft = drafts[question.id];
  return draft?.about === question.question ? withOptionsOf(question, draft) : undefined;
}

/** The typed answer, else the answer there is. */
export function draftOf(drafts: Drafts, question: PageQuestion): Draft {
  return keptDraft(drafts, question) ?? withOptionsOf(question, fromAnswer(question.answer));
}

export function withDraft(drafts: Drafts, question: PageQuestion, draft: Draft): Drafts {
  return { ...drafts, [question.id]: { ...draft, about: question.question } };
}

/** Drafts that still say something else than the answers that were taken. */
export function unsent(drafts: Drafts, questions: readonly PageQuestion[]): Drafts {
  const taken = questions.filter((question) => {
    const draft = question.answer && keptDraft(drafts, question);
    return draft && canonicalJson(toInput(draft)) === canonicalJson(toInput(fromAnswer(question.answer)));
  });
  const ids = taken.map(({ id }) => id);
  return ids.length === 0 ? drafts : without(drafts, ids);
}

export function isComplete(draft: Draft): boolean {
  return draft.skip || draft.selected.length > 0 || draft.text.trim() !== '';
}

export function toInput(draft: Draft): AnswerInput {
  const reason = draft.reason.trim();
  if (draft.skip)
    return {
      selected_option_ids: [],
      free_text: '',
      skipped: true,
      ...(reason === '' ? {} : { skip_reason: reason }),
    };
  return { selected_option_ids: draft.selected, free_text: draft.text.trim(), skipped: false };
}

function fromAnswer(answer: Answer | null): Draft {
  if (!answer) return emptyDraft;
  return {
    selected: answer.selected_option_ids,
    text: answer.free_text,
    skip: answer.skipped,
    reason: answer.skip_reason ?? '',
  };
}

export function without(drafts: Drafts, ids: readonly string[]): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => !ids.includes(id)));
}

function withOptionsOf({ options }: PageQuestion, { selected, text, skip, reason }: Draft): Draft {
  return {
    selected: selected.filter((id) => options.some((option) => option.id === id)),
    text,
    skip,
    reason,
  };
}
