import type { Section } from '../../../context/sections.ts';
import type { DevRecord } from '../../../domain/beads/bead.ts';
import type { Evidence } from '../../../domain/core/evidence.ts';
import { type Dismissal, dismissalsFor, dismissalsText } from '../../../domain/findings/dismissal.ts';
import type { Finding } from '../../../domain/findings/finding.ts';

/**
 * The input of a reviewer beside the bead: the change, what the engine saw, and what the coder left for
 * reviewers. Nothing of how it was made.
 */
export interface Reviewed {
  readonly diff: string;
  readonly evidence: readonly Evidence[];
  readonly devRecord: DevRecord | null;
  /** Of a later round: what the fixer was given. */
  readonly findings: readonly Finding[];
  /** People's dismissals in this repository. */
  readonly dismissals: readonly Dismissal[];
}

/** The sections of a review (docs/decisions/132-cold-review.md). */
export function reviewSections({
  diff,
  evidence,
  devRecord,
  findings,
  dismissals,
}: Reviewed): readonly Section[] {
  const notes = [
    ...(devRecord?.decisions ?? []).map((decision) => `- Decided: ${decision}`),
    ...(devRecord?.assumptions ?? []).map((assumption) => `- Assumed: ${assumption}`),
    ...(devRecord?.notes_for_reviewer ?? []).map((note) => `- For the reviewer: ${note}`),
  ];
  return [
    { name: 'seen_evidence', content: evidence.map(evidenceLine).join('\n') },
    { name: 'reviewer_notes', content: notes.join('\n') },
    { name: 'dismissed', content: dismissalsText(dismissalsFor(diff, dismissals)) },
    { name: 'findings', content: findings.map(findingText).join('\n\n') },
    { name: 'change', content: diff },
  ];
}

function evidenceLine({ command, exitCode, signal, durationMs }: Evidence): string {
  return `- \`${command}\`: ${exitCode === null ? `ended by ${signal ?? 'its time limit'}` : `exit code ${String(exitCode)}`} (${String(Math.ceil(durationMs / 1_000))} s)`;
}

/** A finding as the fixer and the next reviewer get it. */
export function findingText({
  id,
  severity,
  category,
  file,
  line,
  claim,
  evidence,
  suggestedFix,
  test,
  confirmed,
}: Finding): string {
  const place = line === null ? file : `${file}:${String(line)}`;
  return [
    `### ${id}: ${severity}, ${category}, ${place}`,
    '',
    claim,
    ...(evidence.trim() === ''
      ? []
      : ['', 'The code:', '', ...evidence.split('\n').map((text) => `    ${text}`)]),
    ...(suggestedFix.trim() === '' ? [] : ['', `Suggested: ${suggestedFix}`]),
    ...(confirmed && test
      ? [
          '',
          `A test shows it: with ${test.file} as follows, \`${test.command}\` fails.`,
          '',
          ...test.content.split('\n').map((text) => `    ${text}`),
        ]
      : []),
  ].join('\n');
}
