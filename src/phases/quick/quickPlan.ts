import * as z from 'zod';
import { BeadExpansion, BlueprintBead } from '../../domain/beads/bead.ts';
import { repeatedIds } from '../../domain/documents/base/check.ts';
import { BatchQuestion } from '../../domain/requirements/interview.ts';
import { PrdDraft, prdBody } from '../../domain/requirements/prd.ts';
import { refsProblem } from '../../domain/requirements/criteria.ts';
import { holeText } from '../../domain/links/holes.ts';
import { linksOf } from '../../domain/links/links.ts';

/** The most questions that a quick ticket asks. Who needs more to know needs an interview. */
export const mostQuestions = 3;

/** A bead of a quick plan: the blueprint's fields and those of the expansion in one. */
const QuickBead = BlueprintBead.extend(BeadExpansion.omit({ id: true }).shape);

/** The answer of a model that can plan the ticket at once: the whole PRD and the whole bead plan. */
export const QuickPlan = z.object({ prd: PrdDraft, beads: z.array(QuickBead).min(1).max(50) });
export type QuickPlan = z.infer<typeof QuickPlan>;

/** The answer of a model that has to ask first. */
export const QuickQuestions = z.object({
  ai_commentary: z.string().max(4_000).default(''),
  questions: z.array(BatchQuestion).min(1).max(50),
});
export type QuickQuestions = z.infer<typeof QuickQuestions>;

/** A question that a person was asked. */
export const AskedQuestion = z.object({ id: z.string(), prompt: z.string(), skipped: z.boolean() });
export type AskedQuestion = z.infer<typeof AskedQuestion>;

/**
 * Returns the reason why a plan can't be used; undefined if it can. `asked`: the questions that were asked
 * before; each that was answered has to lead to a story.
 */
export function quickPlanProblem(
  { prd, beads }: QuickPlan,
  asked: readonly AskedQuestion[],
): string | undefined {
  const ids = beads.map(({ id }) => id);
  const skipped = asked.filter((question) => question.skipped).map(({ id }) => id);
  const { holes } = linksOf({ questions: asked, prd: prdBody(prd), beads });
  const problems = [
    repeatedIds('beads', ids),
    ...beads.map((bead, place) => {
      const odd = bead.dependencies.blocked_by.filter((id) => !ids.slice(0, place).includes(id));
      return odd.length === 0
        ? undefined
        : `${bead.id}: blocked_by names ${odd.join(', ')}, which is no earlier bead.`;
    }),
    ...holes
      .filter(({ kind, id }) => kind !== 'unknownName' && (kind !== 'question' || !skipped.includes(id)))
      .map(holeText),
    refsProblem(beads, prdBody(prd)),
  ].filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.slice(0, 10).join('\n');
}

/** Returns the reason why questions can't be put to a person; undefined if they can. */
export function quickQuestionsProblem({ questions }: QuickQuestions): string | undefined {
  const bare = questions.find(
    (question) => question.answer_type.endsWith('_choice') && question.options.length < 2,
  );
  const repeated = repeatedIds(
    'questions',
    questions.map(({ id }) => id),
  );
  return repeated ?? (bare ? `questions.${bare.id}.options: a choice needs at least two.` : undefined);
}
