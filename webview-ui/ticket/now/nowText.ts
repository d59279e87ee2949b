import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';

/** One sentence about what happens or what is needed. */
export function nowText({ head, beads }: Pick<TicketState, 'head' | 'beads'>): string {
  const at = head.mood === 'working' ? beads.findIndex(({ status }) => status === 'in_progress') : -1;
  const bead = beads[at];
  if (!bead) return head.label;
  // The stage says more than the status, which is often called the same.
  const what = bead.stage ?? head.label;
  return l10n.t(
    '{0}: bead {1} of {2}, “{3}”, iteration {4}',
    what,
    at + 1,
    beads.length,
    bead.title,
    bead.iteration,
  );
}
