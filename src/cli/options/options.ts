import { TicketId } from '../../domain/ids.ts';
import { printable } from '../output/output.ts';
import type { OptionSpecs } from './args.ts';
import { UsageError } from './args.ts';

/** Options of every command. */
export const commonOptions = {
  repo: { value: 'FOLDER', about: 'the repository; default: the current folder' },
  json: { about: 'print events as NDJSON' },
  adopt: { about: 'take over tickets that another installation made' },
  debug: { about: 'show the stack of an unexpected error' },
} as const satisfies OptionSpecs;

/** Options of commands that may start OpenCode. */
export const opencodeOptions = {
  opencode: { value: 'PATH', about: 'the opencode binary' },
  'opencode-config': { value: 'FILE', about: 'provider configuration for OpenCode, as JSON' },
  'opencode-url': { value: 'URL', about: 'a running OpenCode server; its password comes from OPENCODE_SERVER_PASSWORD' },
} as const satisfies OptionSpecs;

/** Options of commands that may drive tickets. */
export const drivingOptions = {
  'no-wait': { about: 'file the command and return; whoever drives executes it' },
  ...opencodeOptions,
} as const satisfies OptionSpecs;

/** Options that answer gates without asking. */
export const policyOptions = {
  approve: {
    value: 'GATES',
    about: 'all, none (default), or gates with commas: interview-answers, interview, prd, beads, setup, qa, review',
  },
  answers: { value: 'FILE', about: 'interview answers: a list of {match, select | text | skip, reason} as YAML or JSON' },
  'skip-interview': { about: 'skip every interview question' },
  end: { value: 'close|merge', about: 'how an approved review ends (default: close, which keeps the branch)' },
} as const satisfies OptionSpecs;

/** Options that say what a new ticket is. */
export const ticketOptions = {
  title: { value: 'TEXT', about: "the ticket's title; default: the first line of the description" },
  description: { value: 'TEXT', about: "the ticket's description (Markdown)" },
  'description-file': { value: 'FILE', about: 'the description from a file; - for standard input' },
  priority: { value: '1..5', about: '1 is most urgent; default 3' },
  key: { value: 'KEY', about: 'the same key always means the same ticket' },
  prefix: { value: 'ABC', about: "the letters of new ticket ids; default: from the folder's name" },
} as const satisfies OptionSpecs;

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
