import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { LoopRequest, needsProjectChecks, readLoopPrompt } from '../../domain/ticket/loop.ts';
import { removedNote } from '../../domain/description/ticketText.ts';
import { completeSettings } from '../../domain/settings/settings.ts';
import type { Command, CommandContext } from '../base/command.ts';
import { checkBeforeFiling, fileTicket, type NewTicket } from '../drive/startTicket.ts';
import { type Args, UsageError } from '../base/args.ts';
import { ownOrTeam } from '../drive/team.ts';
import { drivingOptions, fileProblem, policyOptions, ticketOptions } from '../options/options.ts';
import { settingsOptions } from '../options/settingsOptions.ts';
import { driveTicket, startDraft } from './run.ts';
import { show } from './tickets.ts';

const usualMaximum = 10;
const largestFile = 1_000_000;
const { title, priority, key, prefix } = ticketOptions;

/** A ticket whose prompt is its only bead (docs/decisions/142-loops.md). */
export const loop: Command = {
  name: 'loop',
  words: 'PROMPT_FILE',
  about:
    'code a prompt in passes, without planning, and run it until it needs input or ends; - reads the prompt from standard input',
  takes: [1, 1],
  changes: 'always',
  instead: 'Loop here with --team \'\'; "beadsmith move" hands the ticket over.',
  options: {
    min: { value: 'N', about: 'minimum passes of an iteration; default: 1' },
    max: {
      value: 'N',
      about: `maximum passes of an iteration; default: ${String(usualMaximum)}, or the minimum if that is more`,
    },
    test: {
      value: 'COMMAND',
      many: true,
      about: "command that proves the loop; can be repeated; default: the project's checks",
    },
    setup: {
      value: 'COMMAND',
      many: true,
      about: 'command that prepares a checkout; can be repeated; default: the last approved setup',
    },
    'no-tests': { value: 'REASON', about: 'why no command can prove the loop' },
    status: { about: 'show the loop with this ticket ID instead, as show does' },
    title,
    priority,
    key,
    prefix,
    ...ownOrTeam,
    ...drivingOptions,
    ...policyOptions,
    ...settingsOptions,
  },
  run: async (context, args) => {
    if (args.flag('status')) return show.run(context, args);
    if (args.text('depth') !== undefined)
      throw new UsageError('A loop is not planned, so --depth does not apply.');
    const request = requestOf(args);
    const input = await inputOf(context, args);
    return driveTicket(context, args, async (app) => {
      await checkBeforeFiling(app, args);
      if (needsProjectChecks(request) && (await app.client.projectChecks()).length === 0)
        throw new UsageError(
          'No checks of this project were approved yet. Specify --test COMMAND, or --no-tests REASON if no command can prove the loop.',
        );
      const ticket = (await fileTicket(context, app.client, input)).id;
      const start = await startDraft(context, app, args, ticket, (body) => {
        const passes = passesOf(args, body.settings);
        const settings = completeSettings({ ...body.settings, ...passes, depth: 'loop' });
        return { ...body, settings, loop: request };
      });
      return { ticket, start };
    });
  },
};

function passesOf(
  args: Args,
  { minPasses }: { readonly minPasses: number },
): { readonly minPasses: number; readonly maxPasses: number } {
  const least = args.whole('min') ?? minPasses;
  const most = args.whole('max') ?? args.whole('max-passes') ?? Math.max(least, usualMaximum);
  const odd = [least, most].find((passes) => passes < 1 || passes > 100);
  if (odd !== undefined) throw new UsageError(`A loop has 1 to 100 passes, not ${String(odd)}.`);
  if (most < least) throw new UsageError(`--max ${String(most)} is less than --min ${String(least)}.`);
  return { minPasses: least, maxPasses: most };
}

function requestOf(args: Args): LoopRequest {
  passesOf(args, { minPasses: args.whole('min-passes') ?? 1 });
  const noTests = args.text('no-tests');
  if (noTests?.trim() === '') throw new UsageError('--no-tests takes a reason.');
  const request = LoopRequest.safeParse({ tests: args.list('test'), setup: args.list('setup'), noTests });
  if (request.success) return request.data;
  throw new UsageError(request.error.issues[0]?.message ?? 'The commands of the loop are not valid.');
}

async function inputOf(context: CommandContext, args: Args): Promise<NewTicket> {
  const [path = ''] = args.positionals;
  const prompt = readLoopPrompt(await promptBytes(context, path));
  if (!prompt.ok) throw invalidInput(nameOf(path), prompt.reason);
  if (prompt.removed > 0) context.output.event({ type: 'note', message: removedNote(prompt.removed) });
  const idempotencyKey = args.text('key');
  return {
    title: args.text('title') ?? prompt.title,
    description: prompt.text,
    priority: args.whole('priority') ?? 3,
    ...(idempotencyKey === undefined ? {} : { key: idempotencyKey }),
  };
}

async function promptBytes({ cwd, readInput }: CommandContext, path: string): Promise<Uint8Array> {
  if (path === '-') return new TextEncoder().encode(await readInput());
  const file = resolve(cwd, path);
  try {
    const { size } = await stat(file);
    if (size > largestFile) throw invalidInput(nameOf(path), 'it has more than 50,000 characters');
    return await readFile(file);
  } catch (error) {
    throw error instanceof BeadsmithError ? error : invalidInput(nameOf(path), fileProblem(error));
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'The prompt on standard input' : `The prompt file ${path.replace(/\p{C}/gu, '?')}`;
}
