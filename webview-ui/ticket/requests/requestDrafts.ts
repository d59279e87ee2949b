import * as z from 'zod';
import type { AgentQuestion } from '../../../src/domain/ticket/agentRequest.ts';

/** Places of options, and words of one's own. */
const Draft = z.object({ chosen: z.array(z.number().int()), text: z.string().max(20_000) });
export type RequestDraft = z.infer<typeof Draft>;
export const RequestDrafts = z.array(Draft);

export const emptyDraft: RequestDraft = { chosen: [], text: '' };

/** A single answer takes the place of the others, and of own words. */
export function withOption(
  { multiple }: AgentQuestion,
  draft: RequestDraft,
  index: number,
  isChosen: boolean,
): RequestDraft {
  if (!multiple) return { chosen: isChosen ? [index] : [], text: '' };
  const others = draft.chosen.filter((one) => one !== index);
  return { ...draft, chosen: isChosen ? [...others, index].toSorted((a, b) => a - b) : others };
}

/** Own words take the place of an option where only one answer is wanted. */
export function withText({ multiple }: AgentQuestion, draft: RequestDraft, text: string): RequestDraft {
  return multiple || text.trim() === '' ? { ...draft, text } : { chosen: [], text };
}

/** By question; undefined while one has no answer. */
export function answersOf(
  questions: readonly AgentQuestion[],
  drafts: readonly RequestDraft[],
): string[][] | undefined {
  const answers = questions.map(({ options }, index) => {
    const { chosen, text } = drafts[index] ?? emptyDraft;
    const labels = chosen.flatMap((one) => options[one]?.label ?? []);
    return text.trim() === '' ? labels : [...labels, text.trim()];
  });
  return answers.some((texts) => texts.length === 0) ? undefined : answers;
}
