import { l10n } from 'vscode';
import type { Usage } from '../../domain/promptPlan.ts';
import type { Limits } from '../../domain/settings.ts';
import { capUses, isNear } from '../../domain/usage/capUse.ts';

/** Says of each limit that is near how much of it is used. */
export function nearCapTexts(limits: Pick<Limits, 'tokenCap' | 'costCap'> | null, usage: readonly Usage[]): readonly string[] {
  if (!limits) return [];
  return capUses(limits, usage)
    .filter(isNear)
    .map(({ kind, used, cap }) => {
      const share = Math.round((100 * used) / cap);
      return kind === 'tokens'
        ? l10n.t('{0}% of the token limit is used: {1} of {2} tokens.', share, Math.round(used).toLocaleString(), cap.toLocaleString())
        : l10n.t('{0}% of the cost limit is used: {1} of {2} US cents.', share, used.toFixed(1), cap);
    });
}
