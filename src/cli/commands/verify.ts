import { resolve } from 'node:path';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { pullRequestOf } from '../../domain/forge/pullRequestName.ts';
import { sandboxHosts, sandboxSetting } from '../../domain/environment/sandbox.ts';
import { isSigned, type RunRequest, type Verifier } from '../../protocol/verification/verification.ts';
import {
  commandList,
  conclusionText,
  ranText,
  requestText,
  shownOf,
  variablesText,
} from '../../protocol/verification/verificationText.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { type ExitCode, exitCodes, exitOfSignal } from '../base/exitCodes.ts';
import { type Args, UsageError } from '../base/args.ts';
import { commonOptions, ticketIdOf, readText } from '../options/options.ts';
import { hiddenWarning, printable } from '../base/output.ts';

const { repo, json, sandbox, debug } = commonOptions;

/** Runs the evidence again in any clone, without a database. */
export const verify: Command = {
  name: 'verify',
  words: 'ABC-12 | PULL_REQUEST | --key',
  about:
    'run the recorded commands of a ticket or pull request (7 or its address) again, compare the results, and show who proved them',
  takes: [0, 1],
  changes: 'nothing',
  options: {
    repo,
    evidence: {
      value: 'FILE',
      about:
        'evidence file (.ticket/evidence.json); default: the database, then the notes on the commits, or the text of the pull request',
    },
    commit: {
      value: 'REVISION',
      about: 'revision to verify; default: the branch of the ticket, or the commit of the pull request',
    },
    key: { about: 'print your public key instead, as a line for .beadsmith/keys on the base branch' },
    all: { about: 'verify every commit of the branch, not only the last one' },
    yes: {
      about:
        'run commands without asking that nobody approved here and no trusted key signed, or that were proved with other files',
    },
    json,
    sandbox,
    debug,
  },
  run: async (context, args) => {
    if (args.flag('key')) return printKey(context, args);
    if (args.positionals.length === 0) throw new UsageError('An argument is missing.');
    const [word = ''] = args.positionals;
    const of = pullRequestOf(word) ?? ticketIdOf(word);
    const file = args.text('evidence');
    const revision = args.text('commit');
    const verifier = await context.product.openVerifier({
      folder: resolve(context.cwd, args.text('repo') ?? '.'),
      env: context.env,
      sandbox: sandboxSetting(args.text('sandbox'), context.env),
      sandboxHosts: sandboxHosts(undefined, context.env),
      of,
      ...(file === undefined ? {} : { file: await readText(context, file) }),
    });
    const { ticket } = verifier.evidence;
    let reason = '';
    try {
      const result = await verifier.verify({
        all: args.flag('all'),
        signal: context.signal,
        confirm: async (request) => {
          reason = requestText(request);
          if (args.flag('yes')) return true;
          // Programs read that output, so nobody would see the commands.
          return !args.flag('json') && mayRun(context, verifier.source, request);
        },
        ...(revision === undefined ? {} : { revision }),
        onProgress: ({ command, number, total }) =>
          context.output.event({ type: 'verifying', ticket, command, number, total }),
      });
      if (!result)
        throw new BeadsmithError('CONFIRMATION_NEEDED', { what: `${reason} To run them, use --yes.` });
      const exit = result.differences.length === 0 ? exitCodes.done : exitCodes.failed;
      context.output.text(printable([ranText(result), '', conclusionText(result)].join('\n')));
      context.output.event({
        type: 'verification',
        isEqual: exit === exitCodes.done,
        isSigned: isSigned(result),
        ...result,
      });
      return endCommand(context, { ticket }, exit);
    } catch (error) {
      if (!context.signal.aborted) throw error;
      return endCommand(context, { ticket }, exitOfSignal(context.signal));
    }
  },
};

async function printKey(context: CommandContext, args: Args): Promise<ExitCode> {
  if (args.positionals.length > 0) throw new UsageError('--key takes no ticket.');
  const line = await context.product.keyLine(context.env);
  context.output.text(line);
  context.output.event({ type: 'key', line });
  return endCommand(context);
}

/** Commands of a file or note may be anyone's, so a person sees them first. */
async function mayRun(
  context: CommandContext,
  source: Verifier['source'],
  request: RunRequest,
): Promise<boolean> {
  const variables = variablesText(request);
  context.output.text(
    [
      `These commands come from ${source === 'file' ? 'a file' : `the ${source.replace('_', ' ')}`} and run on this machine:`,
      '',
      ...commandList(request.commands).map((line) => `  ${line}`),
      '',
      ...(variables === '' ? [] : [variables, '']),
      ...hiddenWarning(shownOf(request)),
      requestText(request),
    ].join('\n'),
  );
  return (await context.confirm?.('Run them? [y/N] ')) === true;
}
