import { l10n } from 'vscode';
import { capUses, isNear, type TicketCaps, type Used } from '../../domain/usage/capUse.ts';

/** Says of each limit that is near how much of it is used. */
export function nearCapTexts(limits: TicketCaps | null, used: Used): readonly string[] {
  if (!limits) return [];
  return capUses(limits, used)
    .filter(isNear)
    .map(({ kind, used, cap }) => {
      const share = Math.round((100 * used) / cap);
      switch (kind) {
        case 'tokens':
          return l10n.t(
            '{0}% of the token limit is used: {1} of {2} tokens.',
            share,
            Math.round(used).toLocaleString(),
            cap.toLocaleString(),
          );
        case 'cents':
          return l10n.t('{0}% of the cost limit is used: {1} of {2} US cents.', share, used.toFixed(1), cap);
        case 'minutes':
          return l10n.t('{0}% of the time limit is used: {1} of {2} minutes.', share, used.toFixed(1), cap);
      }
    });
}
