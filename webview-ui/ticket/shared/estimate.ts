import type { ResultOf } from '../../../src/protocol/pages/frame.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { type Contract, type Tools, useLoaded } from './parts.tsx';

export type Estimate = ResultOf<Contract, 'estimate'>;

/** Of the whole ticket, from other tickets: it is known once this one has started, and stays. */
export function useEstimate(page: Tools, mood: TicketState['head']['mood']): Estimate | undefined {
  return useLoaded(page, 'estimate', {}, mood === 'draft').value;
}
