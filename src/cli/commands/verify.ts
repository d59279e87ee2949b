import { resolve } from 'node:path';
import { openVerifier, type Verifier } from '../../app/verify/openVerifier.ts';
import { serviceCommands } from '../../domain/environment/services.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { differenceText, outcomeText, type Verification } from '../../protocol/verification.ts';
import type { Command, CommandContext } from '../command.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { commonOptions, ticketIdOf } from '../options/options.ts';
import { readText } from '../options/readText.ts';
import { oneLine, printable } from '../output/output.ts';

const { repo, json, debug } = commonOptions;

/** `verify`: runs the evidence of a ticket again and says equal, or what differs. It needs no database, so it works in any clone. */
export const verify: Command = {
  name: 'verify',
  words: 'ABC-12',
  about: 'run the recorded commands of a ticket again, and compare the results',
  takes: [1, 1],
  options: {
    repo,
    evidence: { value: 'FILE', about: 'evidence file (.ticket/evidence.json); default: the database, then the notes on the commits' },
    commit: { value: 'REVISION', about: 'revision to verify; default: the branch of the ticket' },
    all: { about: 'verify every commit of the branch, not only the last one' },
    yes: { about: 'run commands that were not approved in this installation without asking' },
    json,
    debug,
  },
  run: async (context, args) => {
    const ticket = ticketIdOf(args.positionals[0]);
    const file = args.text('evidence');
    const revision = args.text('commit');
    const verifier = await openVerifier({
      folder: resolve(context.cwd, args.text('repo') ?? '.'),
      env: context.env,
      ticket,
      ...(file === undefined ? {} : { file: await readText(context, file) }),
    });
    if (!verifier.isApproved && !args.flag('yes')) await confirm(context, verifier);
    try {
      const result = await verifier.verify({
        all: args.flag('all'),
        signal: context.signal,
        ...(revision === undefined ? {} : { revision }),
        onProgress: ({ command, number, total }) => context.output.event({ type: 'verifying', ticket, command, number, total }),
      });
      const exit = result.differences.length === 0 ? exitCodes.done : exitCodes.failed;
      context.output.text(verificationText(result));
      context.output.event({ type: 'verification', isEqual: exit === exitCodes.done, ...result });
      return end(context, ticket, exit);
    } catch (error) {
      if (!context.signal.aborted) throw error;
      return end(context, ticket, context.signal.reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated);
    }
  },
};

function end(context: CommandContext, ticket: string, exit: ExitCode): ExitCode {
  context.output.event({ type: 'end', exit, ticket, status: null });
  return exit;
}

/** Commands of a file or a note may come from anyone: a person sees them first. Throws CONFIRMATION_NEEDED. */
async function confirm(context: CommandContext, { evidence, source }: Verifier): Promise<void> {
  const commands = new Set(
    evidence.evidence.flatMap(({ environment, commands: own }) => [
      ...environment.bootstrap,
      ...serviceCommands(environment.services ?? []),
      ...own.map(({ command }) => command),
    ]),
  );
  const list = [...commands].map((command) => `  ${oneLine(command, 2_000)}`);
  context.output.text(
    [`These commands come from ${source === 'file' ? 'a file' : `the ${source}`} and run on this machine:`, '', ...list, ''].join('\n'),
  );
  if (await context.confirm?.('Run them? [y/N] ')) return;
  throw new BeadsmithError('CONFIRMATION_NEEDED', {
    what: `The evidence of ${evidence.ticket} holds commands that were not approved in this installation. To run them, use --yes.`,
  });
}

/** The result for people. */
export function verificationText(result: Verification): string {
  const lines = result.commits.flatMap(({ commit, subject, about, commands }) => [
    `${commit.slice(0, 12)} ${oneLine(subject, 80)} (${about})`,
    ...commands.map(
      ({ command, found, isSame, durationMs }) =>
        `  ${isSame ? 'same   ' : 'differs'}  ${oneLine(command, 120)} ${outcomeText(found)} (${(durationMs / 1_000).toFixed(1)} s)`,
    ),
  ]);
  return [...lines, '', ...conclusion(result), ...withheld(result)].join('\n');
}

function conclusion({ ticket, commits, differences, head }: Verification): readonly string[] {
  const count = commits.reduce((sum, { commands }) => sum + commands.length, 0);
  const ran = `${String(count)} ${count === 1 ? 'command' : 'commands'}`;
  if (differences.length === 0) return [`Equal: ${ticket} at ${head.slice(0, 12)} gives the recorded results (${ran}).`];
  const points = differences.flatMap((difference) => {
    const details = difference.kind === 'result' ? difference.tests.map((name) => `      fails now: ${oneLine(name)}`) : [];
    const output =
      'output' in difference && difference.output !== ''
        ? printable(difference.output)
            .split('\n')
            .map((line) => `      ${line}`)
        : [];
    return [`  ${oneLine(differenceText(difference), 2_000)}`, ...details, ...output];
  });
  return [`Different: ${ticket} at ${head.slice(0, 12)} is not what was proved (${ran}).`, ...points];
}

function withheld({ withheld: names }: Verification): readonly string[] {
  return names.length === 0
    ? []
    : ['', `Not set, because their values are not in the evidence: ${names.map((name) => oneLine(name)).join(', ')}`];
}
