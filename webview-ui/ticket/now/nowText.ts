import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';

/** One sentence about what happens or what is needed. */
export function nowText({ head, beads }: Pick<TicketState, 'head' | 'beads'>): string {
  const at = head.mood === 'working' ? beads.findIndex(({ status }) => status === 'in_progress') : -1;
  const bead = beads[at];
  if (!bead) return head.label;
  const place = [head.label, at + 1, beads.length, bead.title, bead.iteration] as const;
  return bead.stage === null
    ? l10n.t('{0}: bead {1} of {2}, “{3}”, iteration {4}', ...place)
    : l10n.t('{0}: bead {1} of {2}, “{3}”, iteration {4}, {5}', ...place, bead.stage);
}
