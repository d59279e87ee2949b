import { TicketId } from '../../domain/core/ids.ts';
import { printable } from '../base/output.ts';
import { type OptionSpecs, UsageError } from '../base/args.ts';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import type { CommandContext } from '../base/command.ts';

/** Options of every command. */
export const commonOptions = {
  repo: { value: 'FOLDER', about: 'repository; default: the current folder' },
  json: { about: 'print events as NDJSON' },
  adopt: { about: 'adopt tickets that another installation created' },
  sandbox: {
    value: 'auto|require|off',
    about: 'whether agents and commands run in a sandbox; default: BEADSMITH_SANDBOX, else auto',
  },
  'sandbox-host': {
    value: 'HOST',
    many: true,
    about: 'host that a setup in the sandbox may fetch packages from; default: BEADSMITH_SANDBOX_HOSTS',
  },
  'take-over': { about: 'take over from a process in another container or on another machine that is gone' },
  debug: { about: 'show the stack trace of an unexpected error' },
} as const satisfies OptionSpecs;

/** Options of commands that read the person's own prompts. */
export const promptOptions = {
  prompts: {
    value: 'FOLDER',
    about: 'folder of your own prompts; default: beadsmith/prompts in your configuration folder',
  },
} as const satisfies OptionSpecs;

/** Options of commands that may start OpenCode. */
export const opencodeOptions = {
  ...promptOptions,
  opencode: { value: 'PATH', about: 'path of the opencode binary' },
  'opencode-config': { value: 'FILE', about: 'OpenCode provider configuration (JSON)' },
  'opencode-url': {
    value: 'URL',
    about: 'URL of a running OpenCode server; its password is read from OPENCODE_SERVER_PASSWORD',
  },
} as const satisfies OptionSpecs;

/** Options of commands that may drive tickets. */
export const drivingOptions = {
  'coding-tickets': { value: 'N', about: 'how many tickets code at a time; default: 1' },
  'no-wait': { about: 'queue the command and return; the process that works on the ticket runs it' },
  ...opencodeOptions,
} as const satisfies OptionSpecs;

/** Options that answer gates without asking. */
export const policyOptions = {
  approve: {
    value: 'GATES',
    about:
      'all (also leaves secrets out of prompts), none (default), or a comma-separated list of gates: interview-answers, interview, prd, beads, setup, qa, review',
  },
  answers: {
    value: 'FILE',
    about: 'interview answers: a YAML or JSON list of {match, select | text | skip, reason}',
  },
  'skip-interview': { about: 'skip all interview questions' },
  end: { value: 'close|merge', about: 'how an approved review ends; default: close, which keeps the branch' },
  'unattended-without-sandbox': {
    about:
      'where there is no sandbox: allow --approve all, --end merge and merge, and agents to run commands without asking',
  },
} as const satisfies OptionSpecs;

/** Options that say what a new ticket is. */
export const ticketOptions = {
  title: { value: 'TEXT', about: 'title of the ticket; default: the first line of the description' },
  description: { value: 'TEXT', about: 'description of the ticket (Markdown)' },
  'description-file': { value: 'FILE', about: 'read the description from a file; - for standard input' },
  priority: { value: '1..5', about: '1 is most urgent; default 3' },
  key: { value: 'KEY', about: 'idempotency key: the same key always refers to the same ticket' },
  prefix: { value: 'ABC', about: 'prefix of new ticket IDs; default: derived from the folder name' },
} as const satisfies OptionSpecs;

/** The ticket a word names; small letters are fine. Throws UsageError. */
export function ticketIdOf(word: string | undefined): string {
  const id = TicketId.safeParse(word?.toUpperCase());
  if (id.success) return id.data;
  throw new UsageError(
    word === undefined
      ? 'Enter a ticket ID, such as ABC-12.'
      : `"${printable(word.slice(0, 60))}" is not a valid ticket ID. Use the form ABC-12.`,
  );
}

/** Nothing that is typed in or handed over is longer. */
const longest = 10_000_000;

/** The text of a file given on the command line; `-` is standard input. Throws INVALID_INPUT. */
export async function readText(
  context: Pick<CommandContext, 'cwd' | 'readInput'>,
  path: string,
): Promise<string> {
  const invalid = (reason: string): BeadsmithError =>
    invalidInput(path === '-' ? 'Standard input' : path, reason);
  if (path === '-') {
    const text = await context.readInput();
    if (text.length > longest) throw invalid('it is larger than 10 MB');
    return text;
  }
  const file = resolve(context.cwd, path);
  try {
    const { size } = await stat(file);
    if (size > longest) throw invalid('it is larger than 10 MB');
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof BeadsmithError) throw error;
    if (error instanceof TypeError) throw invalid('it is not UTF-8 text');
    throw invalid(
      error instanceof Error ? error.message.replace(/^(\w+): ([^,]+),.*$/, '$2 ($1)') : String(error),
    );
  }
}
