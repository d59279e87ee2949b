import { cleanedText, longestDescription } from '../description/ticketText.ts';
import { TicketInput } from './ticket.ts';

/** A problem of a ticket's text. `line`: from 0; `message`: for translation. */
export interface TicketTextProblem {
  readonly line: number;
  readonly message: string;
}

interface TicketText {
  readonly title: string;
  readonly description: string;
  readonly problems: readonly TicketTextProblem[];
}

/** Title and description as one Markdown document: the title is its first heading. */
export function ticketDocument({
  title,
  description,
}: {
  readonly title: string;
  readonly description: string;
}): string {
  return `# ${title}\n\n${description === '' ? '' : `${description}\n`}`;
}

/**
 * Reads such a document: the first line with a text is the title, with or without its mark. `hint`: a text of
 * the template that is no part of the description. Terminal codes are removed.
 */
export function readTicketDocument(text: string, hint = ''): TicketText {
  const lines = text
    .replace(/^\uFEFF/u, '')
    .replace(/\r\n?/gu, '\n')
    .split('\n');
  const titleLine = Math.max(
    lines.findIndex((line) => line.trim() !== ''),
    0,
  );
  const title = titleIn(lines[titleLine] ?? '');
  const below = lines.slice(titleLine + 1).join('\n');
  const description = cleanedText(hint === '' ? below : below.replace(hint, ''))
    .text.replace(/^(?:[^\S\n]*\n)+/u, '')
    .trimEnd();
  const refused = [
    { line: titleLine, message: messageOf('title', title) },
    { line: titleLine + 1 + lineOfRefusal(below), message: messageOf('description', description) },
  ];
  return {
    title,
    description,
    problems: refused.flatMap(({ line, message }) =>
      message === undefined ? [] : [{ line: Math.min(line, lines.length - 1), message }],
    ),
  };
}

function titleIn(line: string): string {
  return cleanedText(line.trim().replace(/^#{1,6}(?:\s+|$)/u, ''))
    .text.replace(/\p{Cc}+/gu, ' ')
    .trim();
}

function messageOf(field: 'title' | 'description', text: string): string | undefined {
  const result = TicketInput.shape[field].safeParse(text);
  return result.success ? undefined : (result.error.issues[0]?.message ?? '');
}

/** The line in which it becomes too long, or has a zero byte. */
function lineOfRefusal(description: string): number {
  const zero = description.indexOf('\0');
  return description.slice(0, zero < 0 ? longestDescription : zero).split('\n').length - 1;
}
