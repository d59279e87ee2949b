import { TicketId } from '../domain/ids.ts';
import { printable } from './printable.ts';
import { UsageError } from './usageError.ts';

/** The ticket a word names; small letters are fine. Throws UsageError. */
export function ticketIdOf(word: string | undefined): string {
  const id = TicketId.safeParse(word?.toUpperCase());
  if (id.success) return id.data;
  throw new UsageError(
    word === undefined
      ? 'Which ticket? Its id looks like ABC-12.'
      : `"${printable(word.slice(0, 60))}" is no ticket id; one looks like ABC-12.`,
  );
}
