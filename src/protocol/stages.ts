import type { TicketEvent } from '../domain/core/events.ts';
import { stageExitLabel } from '../domain/beads/beadStages.ts';

/**
 * A stage of a bead's iteration in words, for lines that aren't translated: which one it is, and how it
 * ended.
 */
export function stageText({
  label,
  state,
  exit,
  error,
  skipped,
  ms,
}: Extract<TicketEvent, { type: 'stage' }>): string {
  if (state === 'started') return label;
  const took = `(${(ms / 1_000).toFixed(1)} s)`;
  if (state === 'done') return `${label}: ${stageExitLabel(exit ?? '')} ${took}`;
  return `${label} failed${skipped ? ' and is skipped' : ''} ${took}: ${error?.code ?? ''} ${error?.message ?? ''}`;
}
