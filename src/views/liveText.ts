import { l10n } from 'vscode';
import type { TicketView } from '../protocol/api.ts';
import { countdownText } from './countdownText.ts';
import { holdName } from './holdName.ts';

/** How far a ticket's beads are: the one in work with its iteration, else how many are done. Empty without a plan. */
export function workText({ coding, beadsDone, beadsTotal }: TicketView): string {
  if (coding) return l10n.t('{0}/{1}, iteration {2}', coding.number, beadsTotal, coding.iteration);
  return beadsTotal === 0 ? '' : l10n.t('{0}/{1} beads', beadsDone, beadsTotal);
}

/** Why a ticket pauses, with the time an agent still waits. Empty when it doesn't. */
export function holdText({ hold, holdUntil }: Pick<TicketView, 'hold' | 'holdUntil'>, now: number): string {
  if (hold === null) return '';
  const left = holdUntil === null ? '' : countdownText(holdUntil, now);
  if (hold === 'question') return l10n.t('{0} left, asks you something', left);
  if (hold === 'permission') return l10n.t('{0} left, asks for a permission', left);
  return holdName(hold);
}
