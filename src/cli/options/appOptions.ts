import { resolve } from 'node:path';
import { ownPromptFolder } from '../../adapters/system/configRoot.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { isRecord } from '../../base/json.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { TicketPrefix } from '../../domain/core/ids.ts';
import { sandboxHosts, sandboxSetting } from '../../domain/environment/sandbox.ts';
import { RepositorySettings } from '../../domain/settings/settings.ts';
import type { Args } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { readText } from './options.ts';
import { UsageError } from '../base/args.ts';

/** The options about repository and OpenCode. Throws UsageError, and INVALID_INPUT for a file. */
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
    // A process that takes over is the owner, for a moment at least.
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
      config: file === undefined ? {} : parseConfig(file, await readText(context, file)),
    },
  };
}

/** Returns true if a person accepts that nothing confines agents and that nobody is asked. */
export function isUnattended({ env }: Pick<CommandContext, 'env'>, args: Args): boolean {
  return args.flag('unattended-without-sandbox') || env['BEADSMITH_UNATTENDED_WITHOUT_SANDBOX'] === '1';
}

/** For commands that only read. */
const nobody = { decide: () => Promise.reject(new BeadsmithError('DECISION_NEEDS_PERSON')) };

/** The folder of the person's own prompts. */
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
