import { BeadsmithError } from '../../../domain/core/errors.ts';
import { TicketId } from '../../../domain/core/ids.ts';
import { fittedText, mostTextChars } from '../../../domain/forge/fittedText.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';

/** Less isn't worth showing. */
const leastPart = 4_000;

/** True if a pull request's text says that it is the ticket's. */
export function hasMarker(text: string | null, ticket: string): boolean {
  return text?.includes(startOf(ticket)) === true;
}

/**
 * A text with the ticket's part put in, between comments that nobody sees. What people wrote around it stays:
 * where the end of the part is gone, everything after its start is kept, and a text without the part is a
 * person's own. Sections of the part are left out where the whole is too long. Throws FORGE_REFUSED if what
 * people wrote leaves no room. `tail`: behind the part, never left out.
 */
export function withText(text: string, ticket: string, part: string, tail = ''): string {
  const [start, end] = [startOf(ticket), endOf(ticket)];
  const from = text.indexOf(start);
  if (from < 0 && text.trim() !== '') return text;
  const to = from < 0 ? -1 : text.indexOf(end, from);
  const before = text.slice(0, Math.max(0, from));
  const after =
    from < 0 ? '' : to < 0 ? `\n\n${text.slice(from + start.length).trim()}` : text.slice(to + end.length);
  const last = tail === '' ? end : `${tail}\n${end}`;
  const room = mostTextChars - before.length - after.length - start.length - last.length - 2;
  const own = part.trim();
  if (own.length <= room || room >= leastPart)
    return `${before}${start}\n${fittedText(own, room)}\n${last}${after}`;
  const why = because('textTooLong', { most: String(mostTextChars) });
  throw new BeadsmithError('FORGE_REFUSED', { host: 'GitHub', ...why });
}

function startOf(ticket: string): string {
  return `<!-- beadsmith ${TicketId.parse(ticket)} -->`;
}

function endOf(ticket: string): string {
  return `<!-- /beadsmith ${TicketId.parse(ticket)} -->`;
}
