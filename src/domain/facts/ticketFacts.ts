import { shownName } from '../forge/forgePlace.ts';
import { councilOf } from '../settings/settings.ts';
import type { Ticket } from '../ticket/ticket.ts';

/** One line for ticket page and `show`. */
interface FactRow {
  readonly label: string;
  readonly isCode?: true;
  /** Text, or time in milliseconds since 1970; null if there is nothing to say. */
  readonly of: (ticket: Ticket) => string | { readonly at: number } | null;
}

/** All facts, in reading order. */
export const ticketFacts = {
  priority: { label: 'Priority', of: ({ priority }) => String(priority) },
  base: { label: 'Base branch', isCode: true, of: ({ baseBranch }) => baseBranch },
  branch: { label: 'Branch', isCode: true, of: ({ branch }) => branch },
  worktree: { label: 'Worktree', isCode: true, of: ({ worktree }) => worktree },
  models: {
    label: 'Models',
    isCode: true,
    of: ({ settings }) => (settings ? councilOf(settings).join(', ') : '') || null,
  },
  started: { label: 'Started', of: ({ startedAt }) => (startedAt === null ? null : { at: startedAt }) },
  issue: {
    label: 'Issue',
    of: ({ origin }) => (origin ? `${shownName(origin)}#${String(origin.number)}` : null),
  },
} as const satisfies Readonly<Record<string, FactRow>>;

type FactName = keyof typeof ticketFacts;

/** A known fact of a ticket; `text` or `at`. */
export interface TicketFact extends Omit<FactRow, 'of'> {
  readonly name: FactName;
  readonly text?: string;
  readonly at?: number;
}

/** A ticket's known facts. */
export function factsOf(ticket: Ticket): readonly TicketFact[] {
  return Object.entries<FactRow>(ticketFacts).flatMap(([name, { of, ...row }]) => {
    const value = of(ticket);
    if (value === null) return [];
    return [{ ...row, name: name as FactName, ...(typeof value === 'string' ? { text: value } : value) }];
  });
}
