import { l10n } from 'vscode';
import { joined } from '../../base/joined.ts';
import type { Ballot, Doubt, Severity } from '../../domain/findings/finding.ts';
import type { FindingVerdict } from '../../domain/findings/decision.ts';
import type { FindingState, ListedFinding } from './findingState.ts';

export function severityText(severity: Severity): string {
  return { high: l10n.t('High'), medium: l10n.t('Medium'), low: l10n.t('Low') }[severity];
}

export function stateText(state: FindingState): string {
  const texts: Readonly<Record<FindingState, string>> = {
    open: l10n.t('to be fixed'),
    fixed: l10n.t('fixed'),
    again: l10n.t('found again in a later review'),
    earlier: l10n.t('of an earlier iteration'),
    requested: l10n.t('requested as a change'),
    bead: l10n.t('becomes a bead'),
    noted: l10n.t('noted'),
    dismissed: l10n.t('dismissed'),
    unfounded: l10n.t('unfounded'),
  };
  return texts[state];
}

export function doubtText(doubt: Doubt): string {
  const texts: Readonly<Record<Doubt, string>> = {
    not_changed: l10n.t('The bead doesn’t change this file.'),
    not_there: l10n.t('The line isn’t part of the change.'),
    not_quoted: l10n.t('It doesn’t quote any code.'),
    other_code: l10n.t('The quoted code isn’t in the change.'),
    not_read: l10n.t('The change is too large to check the finding.'),
    test_passes: l10n.t('The test for the finding passes instead of failing.'),
  };
  return texts[doubt];
}

export function voteText(vote: Ballot['vote']): string {
  return { confirm: l10n.t('confirms'), reject: l10n.t('rejects'), unsure: l10n.t('unsure') }[vote];
}

function pendingText(verdict: FindingVerdict): string {
  const texts: Readonly<Record<FindingVerdict, string>> = {
    accept: l10n.t('accepting is queued'),
    dismiss: l10n.t('dismissing is queued'),
    bead: l10n.t('making a bead is queued'),
  };
  return texts[verdict];
}

export function standingText({ state, pending, finding }: ListedFinding): string {
  const confirmed = finding.confirmed ? l10n.t('confirmed by a failing test') : '';
  return joined([stateText(state), confirmed, pending === null ? '' : pendingText(pending)]);
}

export function findingPlace({
  file,
  line,
}: {
  readonly file: string;
  readonly line: number | null;
}): string {
  return line === null ? file : `${file}:${String(line)}`;
}
