import { councilOf } from '../settings/settings.ts';
import type { Ticket } from '../ticket/ticket.ts';

/** A fact of a ticket in one line, said once: the ticket page, `show` and the tree render it. */
interface FactRow {
  /** Its name for people. */
  readonly label: string;
  /** A product icon, by its name. */
  readonly icon: string;
  /** It is a name or a path for programs. */
  readonly isCode?: true;
  /** The tree has it below the ticket, too. */
  readonly isInTree?: true;
  /** Its text, or its time in milliseconds since 1970; null as long as there is nothing to say. */
  readonly of: (ticket: Ticket) => string | { readonly at: number } | null;
}

/** Every fact, in the order in which people read them. */
export const ticketFacts = {
  priority: { label: 'Priority', icon: 'arrow-up', of: ({ priority }) => String(priority) },
  base: { label: 'Base branch', icon: 'git-merge', isCode: true, of: ({ baseBranch }) => baseBranch },
  branch: {
    label: 'Branch',
    icon: 'git-branch',
    isCode: true,
    isInTree: true,
    of: ({ branch }) => branch,
  },
  worktree: { label: 'Worktree', icon: 'root-folder', isCode: true, of: ({ worktree }) => worktree },
  models: {
    label: 'Models',
    icon: 'hubot',
    isCode: true,
    of: ({ settings }) => (settings ? councilOf(settings).join(', ') : '') || null,
  },
  started: {
    label: 'Started',
    icon: 'calendar',
    of: ({ startedAt }) => (startedAt === null ? null : { at: startedAt }),
  },
} as const satisfies Readonly<Record<string, FactRow>>;

/** The name of a fact. */
export type FactName = keyof typeof ticketFacts;

/** A fact that is known of a ticket; `text` or `at`. */
export interface TicketFact extends Omit<FactRow, 'of'> {
  readonly name: FactName;
  readonly text?: string;
  readonly at?: number;
}

/** The facts that are known of a ticket. */
export function factsOf(ticket: Ticket): readonly TicketFact[] {
  return Object.entries<FactRow>(ticketFacts).flatMap(([name, { of, ...row }]) => {
    const value = of(ticket);
    if (value === null) return [];
    return [{ ...row, name: name as FactName, ...(typeof value === 'string' ? { text: value } : value) }];
  });
}
