import type { ErrorRecord } from '../../domain/core/errors.ts';
import type { FailedBeadRow } from '../../protocol/pages/reviews.ts';
import { choicesFor, choiceText, failedBeadOf } from '../gates/failedBead.ts';

/** A bead that failed and waits for a decision, as the page shows it; null where the error is about none. */
export function failedBeadRow(error: ErrorRecord | null): FailedBeadRow | null {
  const failed = failedBeadOf(error);
  if (!failed) return null;
  const { bead, analysis, proposed } = failed;
  return {
    bead,
    analysis: analysis
      ? {
          rootCause: analysis.rootCause,
          rationale: analysis.rationale,
          plan: [...analysis.plan],
          label: choiceText(analysis.recommendation).label,
          confidence: analysis.confidence,
        }
      : null,
    proposed: (proposed?.beads ?? []).map(({ id, title }) => ({ id, title })),
    sha256: proposed?.sha256 ?? null,
    // Escalating asks for a reason, and retrying has a button of its own.
    choices: choicesFor(failed).flatMap((choice) => {
      const { label, icon } = choiceText(choice);
      return choice === 'escalate' ? [] : [{ choice, label, icon }];
    }),
  };
}
