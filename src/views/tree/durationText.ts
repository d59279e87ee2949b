import { l10n } from 'vscode';

/** How long something took, as people say it. */
export function durationText(ms: number): string {
  if (ms < 10_000) return l10n.t('{0} s', (ms / 1_000).toFixed(1));
  if (ms < 60_000) return l10n.t('{0} s', Math.round(ms / 1_000));
  return ms < 3_600_000 ? l10n.t('{0} min', Math.round(ms / 60_000)) : l10n.t('{0} h', (ms / 3_600_000).toFixed(1));
}
