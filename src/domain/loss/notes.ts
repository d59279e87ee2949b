import type { CoverageOutcome, CoverageReport } from '../requirements/interview.ts';
import type { Summary } from '../documents/base/document.ts';
import type { LossReport } from './lossReport.ts';

const outcomeTexts: Readonly<Record<Exclude<CoverageOutcome, 'gaps'>, string>> = {
  clean: 'Checks: {0}. The last one found nothing missing.',
  limit: 'Checks: {0}, as many as the settings allow. Gaps are left.',
  no_progress: 'Checks: {0}. They ended because a revision changed nothing.',
  budget: 'Checks: {0}. They ended because no follow-up question is left.',
  no_questions: 'Checks: {0}. The last one found gaps and had no question to ask.',
};
/** The last check was one that a person asked for at the gate. */
const askedTexts = {
  clean: 'Checks: {0}. You asked for the last one, which found nothing missing.',
  gaps: 'Checks: {0}. You asked for the last one, which found gaps.',
} as const;
const putBackText = 'Left out by a model without saying so, and put back: {0}';
const droppedText = 'Removed or reworded by a model, which said so: {0}';

/** The sentences that `documentNotes` uses, for those who translate them. */
export const noteTexts: readonly string[] = [
  ...Object.values(outcomeTexts),
  ...Object.values(askedTexts),
  putBackText,
  droppedText,
];

/** Returns notes for a person: why checking a document ended, and what models left out of it. */
export function documentNotes(
  coverage: CoverageReport | undefined,
  losses: LossReport | undefined,
): readonly Summary[] {
  const steps = losses?.steps ?? [];
  return [
    ...checksOf(coverage),
    ...steps.flatMap(({ put_back }) => put_back.map((what) => ({ text: putBackText, args: [what] }))),
    ...steps.flatMap(({ dropped }) => dropped.map((what) => ({ text: droppedText, args: [what] }))),
  ];
}

function checksOf(coverage: CoverageReport | undefined): readonly Summary[] {
  const last = coverage?.passes.at(-1);
  if (!coverage || !last || coverage.outcome === 'gaps') return [];
  return [
    {
      text: last.by === 'check_again' ? askedTexts[last.status] : outcomeTexts[coverage.outcome],
      args: [coverage.passes.length],
    },
  ];
}
