import * as z from 'zod';
import type { Answer, AnswerInput } from '../../src/domain/interview.ts';
import type { PageQuestion } from '../../src/protocol/pages/interview.ts';

/** What a person is writing and hasn't sent. Kept over a reload. */
export const Draft = z.object({ selected: z.array(z.string()), text: z.string(), skip: z.boolean(), reason: z.string() });
export type Draft = z.infer<typeof Draft>;
export const Drafts = z.record(z.string(), Draft);
export type Drafts = z.infer<typeof Drafts>;

export const emptyDraft: Draft = { selected: [], text: '', skip: false, reason: '' };

/** The draft of a question; one whose options are gone loses them. */
export function draftOf(drafts: Drafts, question: PageQuestion): Draft {
  const draft = drafts[question.id] ?? fromAnswer(question.answer);
  return { ...draft, selected: draft.selected.filter((id) => question.options.some((option) => option.id === id)) };
}

/** Whether it says something: a choice, a text, or that the question is skipped. */
export function isComplete(draft: Draft): boolean {
  return draft.skip || draft.selected.length > 0 || draft.text.trim() !== '';
}

export function toInput(draft: Draft): AnswerInput {
  const reason = draft.reason.trim();
  if (draft.skip) return { selected_option_ids: [], free_text: '', skipped: true, ...(reason === '' ? {} : { skip_reason: reason }) };
  return { selected_option_ids: draft.selected, free_text: draft.text.trim(), skipped: false };
}

function fromAnswer(answer: Answer | null): Draft {
  if (!answer) return emptyDraft;
  return { selected: answer.selected_option_ids, text: answer.free_text, skip: answer.skipped, reason: answer.skip_reason ?? '' };
}

export function without(drafts: Drafts, ids: readonly string[]): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => !ids.includes(id)));
}
