import { l10n } from 'vscode';
import {
  type BudgetLimits,
  type BudgetScope,
  type BudgetUse,
  budgetUses,
  isNear,
  type SpentByScope,
} from '../../domain/usage/budgets.ts';

/**
 * Says of each budget that is near how much of it is used. One that is used up pauses the ticket, which says
 * so itself.
 */
export function nearBudgetTexts(limits: BudgetLimits | null, spent: SpentByScope): readonly string[] {
  if (!limits) return [];
  return budgetUses(limits, spent)
    .filter((use) => isNear(use) && use.used < use.cap)
    .map((use) => `${shareText(use)} ${amountText(use)}`);
}

function shareText({ scope, used, cap }: BudgetUse): string {
  const share = Math.round((100 * used) / cap);
  const texts: Readonly<Record<BudgetScope, string>> = {
    ticket: l10n.t('{0}% of the ticket’s limit is used:', share),
    phase: l10n.t('{0}% of the phase’s limit is used:', share),
    bead: l10n.t('{0}% of the bead’s limit is used:', share),
    day: l10n.t('{0}% of today’s limit is used:', share),
  };
  return texts[scope];
}

function amountText({ unit, used, cap }: BudgetUse): string {
  switch (unit) {
    case 'tokens':
      return l10n.t('{0} of {1} tokens.', Math.round(used).toLocaleString(), cap.toLocaleString());
    case 'cents':
      return l10n.t('{0} of {1} US cents.', used.toFixed(1), cap);
    case 'minutes':
      return l10n.t('{0} of {1} minutes.', used.toFixed(1), cap);
  }
}
