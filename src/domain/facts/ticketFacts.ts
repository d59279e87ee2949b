import { issueLine } from '../forge/issueLink.ts';
import {
  type BeadsmithError,
  type ErrorRecord,
  errorRecord,
  filled,
  fromRecord,
  type Words,
} from '../core/errors.ts';
import { failedCheckLine, lastOutput } from '../forge/failedCheck.ts';
import { stateLine } from '../forge/forgeLook.ts';
import { councilOf } from '../settings/settings.ts';
import type { Ticket } from '../ticket/ticket.ts';

/** The next check of the ticket's pull request, and why the last one failed. */
interface Watched {
  readonly nextAt: number;
  readonly failure: BeadsmithError | undefined;
}

/** One line for ticket page and `show`. */
interface FactRow {
  readonly label: string;
  readonly isCode?: true;
  /** The address of what it is about. */
  readonly href?: (ticket: Ticket) => string | null;
  /** About its pull request, which the page shows with the review. */
  readonly isOfForge?: true;
  /** Text, time in milliseconds since 1970, or an error; null if there is nothing to say. */
  readonly of: (
    ticket: Ticket,
    words: Words,
    watched?: Watched,
  ) => string | { readonly at: number } | { readonly error: ErrorRecord } | null;
}

/** All facts, in reading order. */
export const ticketFacts = {
  priority: { label: 'Priority', of: ({ priority }) => String(priority) },
  base: { label: 'Base branch', isCode: true, of: ({ baseBranch }) => baseBranch },
  branch: { label: 'Branch', isCode: true, of: ({ branch }) => branch },
  worktree: { label: 'Worktree', isCode: true, of: ({ worktree }) => worktree },
  pullRequest: {
    label: 'Pull request',
    isOfForge: true,
    href: ({ forge }) => forge?.location ?? null,
    of: ({ forge }, words) => (forge ? stateLine(forge, words) : null),
  },
  failedChecks: {
    label: 'Failed checks',
    isOfForge: true,
    of: ({ forge }, words) =>
      forge && forge.failures.length > 0
        ? forge.failures
            .map((check) => [failedCheckLine(check, forge.base, words), lastOutput(check)].join('\n').trim())
            .join('\n\n')
        : null,
  },
  pullRequestNews: {
    label: 'Action required',
    isOfForge: true,
    of: ({ forge }) => (forge?.news ? { error: forge.news } : null),
  },
  pullRequestFailure: {
    label: 'Last check failed',
    isOfForge: true,
    of: (_ticket, _words, watched) => (watched?.failure ? { error: errorRecord(watched.failure) } : null),
  },
  pullRequestNext: {
    label: 'Next check on GitHub',
    isOfForge: true,
    of: (_ticket, _words, watched) => (watched ? { at: watched.nextAt } : null),
  },
  models: {
    label: 'Models',
    isCode: true,
    of: ({ settings }) => (settings ? councilOf(settings).join(', ') : '') || null,
  },
  started: { label: 'Started', of: ({ startedAt }) => (startedAt === null ? null : { at: startedAt }) },
  issue: {
    label: 'Issue',
    href: ({ origin }) => origin?.url ?? null,
    of: ({ origin, forge }, words) => (origin ? issueLine(origin, forge?.issue, words) : null),
  },
} as const satisfies Readonly<Record<string, FactRow>>;

/** Nothing else is followed. */
const isAddress = /^https?:\/\/[^\s<>]+$/u;

type FactName = keyof typeof ticketFacts;

/** A known fact of a ticket; `text` or `at`. `error`: what the text says in English. */
export interface TicketFact extends Omit<FactRow, 'of' | 'href'> {
  readonly name: FactName;
  readonly href?: string;
  readonly text?: string;
  readonly at?: number;
  readonly error?: ErrorRecord;
}

/** A ticket's known facts. */
export function factsOf(ticket: Ticket, watched?: Watched, words: Words = filled): readonly TicketFact[] {
  return Object.entries<FactRow>(ticketFacts).flatMap(([name, { of, href: addressOf, ...row }]) => {
    const value = of(ticket, words, watched);
    if (value === null) return [];
    const href = addressOf?.(ticket) ?? '';
    return [{ ...row, name: name as FactName, ...(isAddress.test(href) ? { href } : {}), ...shownOf(value) }];
  });
}

function shownOf(value: NonNullable<ReturnType<FactRow['of']>>): Pick<TicketFact, 'text' | 'at' | 'error'> {
  if (typeof value === 'string') return { text: value };
  if ('at' in value) return value;
  const { message, nextStep } = fromRecord(value.error);
  return { ...value, text: `${message} ${nextStep}` };
}
