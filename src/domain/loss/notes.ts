import type { CoverageOutcome, CoverageReport } from '../documents/interview.ts';
import type { Summary } from '../documents/document.ts';
import type { LossReport } from './lossReport.ts';

const outcomeTexts: Readonly<Record<Exclude<CoverageOutcome, 'gaps'>, string>> = {
  clean: 'Checks: {0}. The last one found nothing missing.',
  limit: 'Checks: {0}, as many as the settings allow. Gaps are left.',
  no_progress: 'Checks: {0}. They ended because a revision changed nothing.',
  budget: 'Checks: {0}. They ended because no follow-up question is left.',
  no_questions: 'Checks: {0}. The last one found gaps and had no question to ask.',
};
const putBackText = 'Left out by a model without saying so, and put back: {0}';
const droppedText = 'Removed or reworded by a model, which said so: {0}';

/** The sentences that `documentNotes` uses, for those who translate them. */
export const noteTexts: readonly string[] = [...Object.values(outcomeTexts), putBackText, droppedText];

/** What a person should know of how a document was made: why checking it ended, and what models left out of it. */
export function documentNotes(coverage: CoverageReport | undefined, losses: LossReport | undefined): readonly Summary[] {
  const checks = coverage?.passes.length ?? 0;
  const outcome = coverage && checks > 0 && coverage.outcome !== 'gaps' ? [{ text: outcomeTexts[coverage.outcome], args: [checks] }] : [];
  const steps = losses?.steps ?? [];
  return [
    ...outcome,
    ...steps.flatMap(({ put_back }) => put_back.map((what) => ({ text: putBackText, args: [what] }))),
    ...steps.flatMap(({ dropped }) => dropped.map((what) => ({ text: droppedText, args: [what] }))),
  ];
}
