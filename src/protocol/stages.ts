import type { TicketEvent } from '../domain/core/events.ts';
import { stageExitLabel } from '../domain/beads/beadStages.ts';

/** A stage of an iteration, and how it ended, in words that aren't translated. */
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
