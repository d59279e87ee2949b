import { l10n } from 'vscode';
import type { RunView } from '../protocol/history.ts';

/** How far a run is. */
export function runStateTexts(): Readonly<Record<RunView['state'], string>> {
  return { open: l10n.t('under way'), closed: l10n.t('finished'), superseded: l10n.t('superseded'), archived: l10n.t('archived') };
}

/** How a run ended, where that says more than that it did. */
export function runExitTexts() {
  return {
    skip_all: l10n.t('the rest was skipped'),
    gaps: l10n.t('gaps were found'),
    limit: l10n.t('gaps are left'),
    regenerate: l10n.t('made anew'),
    changes: l10n.t('changes were asked for'),
    merge: l10n.t('merged'),
    close: l10n.t('closed without merging'),
    accepted: l10n.t('accepted'),
    rejected: l10n.t('rejected'),
  } as const;
}

/** What became of a run, or of an iteration of a bead. */
export function runOutcome({ state, exit }: Pick<RunView, 'state' | 'exit'>): string {
  const exits: Readonly<Record<string, string>> = runExitTexts();
  return (exit === null ? undefined : exits[exit]) ?? runStateTexts()[state];
}
