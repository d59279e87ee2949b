import { fromRecord } from '../domain/errors.ts';
import type { TicketDetail } from '../protocol/api.ts';
import { errorText } from './errorText.ts';

/** Why a ticket is blocked, and what to do, in the person's language; empty when it isn't. */
export function blockedText({ ticket, error }: TicketDetail): string {
  const { message, nextStep } = ticket.error
    ? errorText(fromRecord(ticket.error))
    : { message: error?.message ?? '', nextStep: error?.nextStep ?? '' };
  return `${message} ${nextStep}`.trim();
}
