import { sha256 } from '../../base/sha256.ts';
import type { PromptParts } from '../script/promptParts.ts';

export interface TicketFacts {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** A few words of the title, fit for a bead id. */
  readonly slug: string;
}

/** Reads `ticket_details`: `ABC-12: title`, an empty line, the description; or any other text. */
export function ticketFacts(parts: PromptParts): TicketFacts {
  const text = (parts.get('ticket_details') ?? '').trim();
  const [first = '', ...rest] = text.split('\n');
  const head = /^([A-Z][A-Z0-9]{1,4}-\d+): (.*)$/.exec(first.trim());
  const title = (head?.[2] ?? first.replace(/^#+\s*/, '')).trim().slice(0, 200) || 'Untitled ticket';
  return { id: head?.[1] ?? 'TKT-1', title, description: rest.join('\n').trim(), slug: slugOf(title) };
}

/** Kebab-case of at most 40 characters; a text without Latin letters gives letters of its hash. */
export function slugOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return words === '' ? `t${sha256(text).slice(0, 8)}` : words;
}
