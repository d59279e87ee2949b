import * as z from 'zod';
import { joined } from '../../base/joined.ts';
import { filled, type Words } from '../../domain/core/errors.ts';
import type { FindingVerdict } from '../../domain/findings/decision.ts';
import type { Ballot, Doubt, Finding, Severity } from '../../domain/findings/finding.ts';

/** Names of severities. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

/**
 * Names of states for people: docs/decisions/146-findings-in-the-editor.md. `fixed`: a fix followed, and no
 * later review raised it again; `again`: one did. `earlier`: its iteration was reset.
 */
export const findingStateLabels = {
  open: 'to be fixed',
  fixed: 'fixed',
  again: 'found again in a later review',
  earlier: 'of an earlier iteration',
  requested: 'requested as a change',
  bead: 'becomes a bead',
  noted: 'noted',
  dismissed: 'dismissed',
  unfounded: 'unfounded',
} as const;

/** One of them. */
export const FindingState = z.enum(Object.keys(findingStateLabels) as (keyof typeof findingStateLabels)[]);
export type FindingState = z.infer<typeof FindingState>;

/** Sentences of doubts. */
export const doubtTexts: Readonly<Record<Doubt, string>> = {
  not_changed: 'The bead doesn’t change this file.',
  not_there: 'The line isn’t part of the change.',
  not_quoted: 'It doesn’t quote any code.',
  other_code: 'The quoted code isn’t in the change.',
  not_read: 'The change is too large to check the finding.',
  test_passes: 'The test for the finding passes instead of failing.',
};

/** Votes of personas, after their name. */
export const voteLabels: Readonly<Record<Ballot['vote'], string>> = {
  confirm: 'confirms',
  reject: 'rejects',
  unsure: 'unsure',
};

/** Decisions that wait to be filed, and what a test shows. */
export const standingTexts: Readonly<Record<FindingVerdict | 'confirmed', string>> = {
  accept: 'accepting is queued',
  dismiss: 'dismissing is queued',
  bead: 'making a bead is queued',
  confirmed: 'confirmed by a failing test',
};

interface StandingFinding {
  readonly state: FindingState;
  readonly pending: FindingVerdict | null;
  readonly finding: Pick<Finding, 'confirmed'>;
}

/** The state of a finding, with what waits. */
export function standingText({ state, pending, finding }: StandingFinding, words: Words = filled): string {
  return joined([
    words(findingStateLabels[state], {}),
    finding.confirmed ? words(standingTexts.confirmed, {}) : '',
    pending === null ? '' : words(standingTexts[pending], {}),
  ]);
}

/** The file of a finding, with its line. */
export function findingPlace({
  file,
  line,
}: {
  readonly file: string;
  readonly line: number | null;
}): string {
  return line === null ? file : `${file}:${String(line)}`;
}
