import { userConfig } from '../../adapters/opencode/server/userConfig.ts';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ownPromptFolder } from '../../adapters/system/configRoot.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { isRecord } from '../../base/json.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { TicketId, TicketPrefix } from '../../domain/core/ids.ts';
import { sandboxHosts, sandboxSetting } from '../../domain/environment/sandbox.ts';
import { RepositorySettings } from '../../domain/settings/settings.ts';
import { type Args, type OptionSpecs, UsageError } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { gateNames } from '../base/gates.ts';
import { printable } from '../base/output.ts';

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

export const promptOptions = {
  prompts: {
    value: 'FOLDER',
    about: 'folder of your own prompts; default: beadsmith/prompts in your configuration folder',
  },
} as const satisfies OptionSpecs;

export const opencodeOptions = {
  ...promptOptions,
  opencode: { value: 'PATH', about: 'path of the opencode binary' },
  'opencode-config': {
    value: 'FILE',
    about: 'OpenCode configuration (JSON) with providers; default: your own',
  },
  'opencode-url': {
    value: 'URL',
    about: 'URL of a running OpenCode server; its password is read from OPENCODE_SERVER_PASSWORD',
  },
} as const satisfies OptionSpecs;

export const drivingOptions = {
  'coding-tickets': { value: 'N', about: 'how many tickets code at a time; default: 1' },
  'no-wait': { about: 'queue the command and return; the process that works on the ticket runs it' },
  ...opencodeOptions,
} as const satisfies OptionSpecs;

export const policyOptions = {
  approve: {
    value: 'GATES',
    about: `all (also leaves secrets out of prompts), none (default), or a comma-separated list of gates: ${gateNames.join(', ')}`,
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

export const ticketOptions = {
  title: { value: 'TEXT', about: 'title of the ticket; default: the first line of the description' },
  description: { value: 'TEXT', about: 'description of the ticket (Markdown)' },
  'description-file': { value: 'FILE', about: 'read the description from a file; - for standard input' },
  priority: { value: '1..5', about: '1 is most urgent; default 3' },
  key: { value: 'KEY', about: 'idempotency key: the same key always refers to the same ticket' },
  prefix: { value: 'ABC', about: 'prefix of new ticket IDs; default: derived from the folder name' },
} as const satisfies OptionSpecs;

export const reasonOption = {
  reason: { value: 'TEXT', about: 'reason; stored in the receipt' },
} as const satisfies OptionSpecs;

/** Small letters are fine. Throws UsageError. */
export function ticketIdOf(word: string | undefined): string {
  const id = TicketId.safeParse(word?.toUpperCase());
  if (id.success) return id.data;
  throw new UsageError(
    word === undefined
      ? 'Enter a ticket ID, such as ABC-12.'
      : `"${printable(word.slice(0, 60))}" is not a valid ticket ID. Use the form ABC-12.`,
  );
}

const longest = 10_000_000;

/** `-` is standard input. Throws INVALID_INPUT. */
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
    throw invalid(fileProblem(error));
  }
}

/** `no such file or directory (ENOENT)` */
export function fileProblem(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^(\w+): ([^,]+),.*$/, '$2 ($1)') : String(error);
}

/** Throws UsageError, or INVALID_INPUT for a file. */
export async function appOptions(
  context: CommandContext,
  args: Args,
  drive: boolean,
  decisions: AppOptions['decisions'] = nobody,
): Promise<AppOptions> {
  const prefix = args.text('prefix');
  if (prefix !== undefined && !TicketPrefix.safeParse(prefix).success)
    throw new UsageError(`--prefix takes 2 to 5 capital letters or digits, starting with a letter.`);
  const codingTickets = args.whole('coding-tickets');
  if (codingTickets !== undefined && !RepositorySettings.shape.codingTickets.safeParse(codingTickets).success)
    throw new UsageError('--coding-tickets takes a number from 1 to 20.');
  const file = args.text('opencode-config');
  const url = args.text('opencode-url');
  if (url !== undefined && file !== undefined)
    throw new UsageError('Use either --opencode-config or --opencode-url, not both.');
  const binary = args.text('opencode');
  return {
    folder: resolve(context.cwd, args.text('repo') ?? '.'),
    decisions,
    // A process that takes over owns the tickets, for a moment at least.
    drive: drive || args.flag('take-over'),
    takeOver: args.flag('take-over'),
    adopt: args.flag('adopt'),
    settings: {
      ...(prefix === undefined ? {} : { ticketPrefix: prefix }),
      ...(codingTickets === undefined ? {} : { codingTickets }),
    },
    env: context.env,
    promptFolder: promptFolderOf(context, args),
    sandbox: sandboxSetting(args.text('sandbox'), context.env),
    isUnattended: isUnattended(context, args),
    sandboxHosts: sandboxHosts(
      args.list('sandbox-host').length > 0 ? args.list('sandbox-host') : undefined,
      context.env,
    ),
    opencode: {
      ...(binary === undefined ? {} : { binary: resolve(context.cwd, binary) }),
      ...(url === undefined
        ? {}
        : { url: serverUrl(url), password: context.env['OPENCODE_SERVER_PASSWORD'] ?? '' }),
      config: await configOf(context, { file, url }),
    },
  };
}

/** True if a person accepts that nothing confines agents. */
export function isUnattended({ env }: Pick<CommandContext, 'env'>, args: Args): boolean {
  return args.flag('unattended-without-sandbox') || env['BEADSMITH_UNATTENDED_WITHOUT_SANDBOX'] === '1';
}

/** For commands that only read. */
const nobody = { decide: () => Promise.reject(new BeadsmithError('DECISION_NEEDS_PERSON')) };

export function promptFolderOf(context: CommandContext, args: Args): string {
  const folder = args.text('prompts');
  return folder === undefined ? ownPromptFolder(context.env) : resolve(context.cwd, folder);
}

function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '')
    return url.href;
  throw new UsageError('--opencode-url takes an http or https address without a login in it.');
}

/** A server that the person runs has its own. */
async function configOf(
  context: CommandContext,
  { file, url }: { readonly file: string | undefined; readonly url: string | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  if (file !== undefined) return parseConfig(file, await readText(context, file));
  return url === undefined ? userConfig(context.env) : {};
}

function parseConfig(file: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidInput(file, error instanceof Error ? error.message : 'it is not JSON');
  }
  if (isRecord(value)) return value;
  throw invalidInput(file, 'an OpenCode configuration is a JSON object');
}
