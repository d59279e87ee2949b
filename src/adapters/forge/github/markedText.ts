import { deflateRawSync, inflateRawSync } from 'node:zlib';
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

/** The text needs room, too. */
const longestBlock = 30_000;
/** Anyone who may edit a pull request may have written it. */
const longestText = 20_000_000;

/** Behind an empty line, because it is read. */
const leftOut = `\nThe signed evidence isn't in this text, because it is longer than ${longestBlock.toLocaleString('en')} characters. To verify it, use \`beadsmith verify\` with \`--evidence\` and a copy of the ticket's \`.ticket/evidence.json\`.`;

/** A signed proof as a comment that nobody sees; a sentence if it is too long for a pull request's text. */
export function evidenceBlock(evidence: string): string {
  const block = `<!-- beadsmith-evidence ${deflateRawSync(evidence, { level: 9 }).toString('base64')} -->`;
  return block.length <= longestBlock ? block : leftOut;
}

/** The newest proof in a text; undefined without one that can be read. */
export function evidenceIn(text: string | null): string | undefined {
  const packed = [...(text ?? '').matchAll(/<!-- beadsmith-evidence ([A-Za-z0-9+/=]+) -->/g)].at(-1)?.[1];
  if (packed === undefined) return undefined;
  try {
    return inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: longestText }).toString('utf8');
  } catch {
    return undefined;
  }
}
