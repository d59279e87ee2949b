import type { CoverageOutcome, CoverageReport } from '../requirements/interview.ts';
import type { Summary } from '../documents/base/document.ts';
import type { LossReport } from './lossReport.ts';

const outcomeTexts: Readonly<Record<Exclude<CoverageOutcome, 'gaps'>, string>> = {
  clean: 'Checks: {0}. The last one found nothing missing.',
  limit: 'Checks: {0}, the limit in the settings. Gaps remain.',
  no_progress: 'Checks: {0}. They ended because a revision made no changes.',
  budget: 'Checks: {0}. They ended because no follow-up questions are left.',
  no_questions: 'Checks: {0}. The last one found gaps but had no question to ask.',
};
const askedTexts = {
  clean: 'Checks: {0}. The last one, which you requested, found nothing missing.',
  gaps: 'Checks: {0}. The last one, which you requested, found gaps.',
} as const;
const putBackText = 'Removed by the model (undeclared) and restored: {0}';
const droppedText = 'Changed by the model (declared): {0}';

/** `documentNotes` sentences, for translation. */
export const noteTexts: readonly string[] = [
  ...Object.values(outcomeTexts),
  ...Object.values(askedTexts),
  putBackText,
  droppedText,
];

/** Notes for a person: why checking ended, and what models omitted. */
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
