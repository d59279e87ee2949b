import type { RecordIo } from '../../../engine/run/run.ts';
import { tokenBudget } from './saveCall.ts';

/** What is left to a ticket of the limits that it has, in words. */
export async function leftOfTicket(io: RecordIo): Promise<readonly string[]> {
  const { used, cap } = await tokenBudget(io);
  return cap === undefined ? [] : [`${String(Math.max(0, cap - used))} tokens of the ticket`];
}
