import { BeadsmithError, toBeadsmithError } from '../domain/core/errors.ts';
import type { Command, CommandContext } from './base/command.ts';
import { commands, findCommand } from './commandTable.ts';
import { type ExitCode, exitCodes, exitOf } from './base/exitCodes.ts';
import { type Args, parseWords, UsageError } from './base/args.ts';
import { JsonOutput, printable } from './base/output.ts';
import type { Output, Sink } from './base/output.ts';
import { isOfTeam } from './drive/team.ts';
import { TextOutput } from './output/textOutput.ts';

interface Terminal extends Omit<CommandContext, 'output'> {
  readonly out: Sink;
  readonly err: Sink;
}

/** Never throws. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const output: Output = argv.includes('--json')
    ? new JsonOutput(terminal.out)
    : new TextOutput(terminal.out, terminal.err);
  let command: Command | undefined;
  try {
    if (argv.length === 0 || argv[0] === 'help' || argv[0] === '--help' || argv[0] === '-h') {
      // Options such as `--json` are about the output.
      const words = argv.slice(1).filter((word) => !word.startsWith('-'));
      return help(words, output);
    }
    if (argv[0] === '--version') return told('version', await terminal.product.version(), output);
    const found = findCommand(argv);
    if (!found) throw noCommand(argv[0] ?? '');
    command = found.command;
    if (found.rest.includes('--help') || found.rest.includes('-h'))
      return help(command.name.split(' '), output);
    const args = parseWords(found.rest, command.options);
    const [least, most] = command.takes;
    if (args.positionals.length < least) throw new UsageError('An argument is missing.');
    if (args.positionals.length > most)
      throw new UsageError(
        `"${printable(args.positionals[most] ?? '').slice(0, 60)}" is an unexpected argument.`,
      );
    // For all commands, before anything is opened (docs/decisions/110-decisions-are-sealed.md).
    if (changesWith(command, args) && terminal.product.isByAgent())
      throw new BeadsmithError('DECISION_BY_AGENT');
    if (command.instead !== undefined && isOfTeam(terminal, args))
      throw new UsageError(
        `"beadsmith ${command.name}" works on this machine, and a team's runners drive its tickets on theirs. ${command.instead}`,
      );
    return await command.run({ ...terminal, output }, args);
  } catch (error) {
    return failed(error, command, output, argv.includes('--debug') ? terminal.err : undefined);
  } finally {
    output.close();
  }
}

function changesWith({ changes }: Command, args: Args): boolean {
  return typeof changes === 'string' ? changes === 'always' : changes.some((option) => args.has(option));
}

function help(words: readonly string[], output: Output): ExitCode {
  const found = words.length === 0 ? undefined : findCommand(words);
  if (words.length > 0 && !found) throw noCommand(words.join(' '));
  return told('help', found ? commandHelp(found.command) : helpText(commands), output);
}

/** Programs get the text, too. */
function told(name: 'help' | 'version', text: string, output: Output): ExitCode {
  output.text(text);
  output.event({ type: 'end', exit: exitCodes.done, ticket: null, status: null, [name]: text });
  return exitCodes.done;
}

function noCommand(name: string): UsageError {
  return new UsageError(
    `There is no command "${printable(name).slice(0, 60)}". "beadsmith help" lists them.`,
  );
}

function failed(
  error: unknown,
  command: Command | undefined,
  output: Output,
  debug: Sink | undefined,
): ExitCode {
  output.close();
  const usage = error instanceof UsageError;
  const known = usage ? undefined : toBeadsmithError(error);
  const exit = known ? exitOf(known.code) : exitCodes.usage;
  output.event({
    type: 'error',
    code: known?.code ?? 'USAGE',
    message: known?.message ?? (error instanceof Error ? error.message : String(error)),
    nextStep: known?.nextStep ?? (command ? `Usage: ${usageOf(command)}` : ''),
  });
  if (debug && error instanceof Error) debug.write(`${stackOf(error)}\n`);
  output.event({ type: 'end', exit, ticket: null, status: null });
  return exit;
}

function stackOf(error: Error): string {
  const cause =
    error instanceof BeadsmithError && error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : '';
  return printable(`${error.stack ?? error.message}${cause}`);
}

function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'Turns a ticket into a reviewed pull request.',
    '',
    'Usage: beadsmith COMMAND [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`),
    `  ${'help'.padEnd(width)}  this text, or "beadsmith help COMMAND" for one command`,
    `  ${'--version'.padEnd(width)}  the version of this installation`,
    '',
    'Exit codes: 0 done, 1 failed, 2 usage error, 3 waiting at a gate, 4 blocked, 5 canceled, 6 needs a person.',
  ].join('\n');
}

function commandHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, spec]) => ({
    left: `--${name}${spec.value === undefined ? '' : ` ${spec.value}`}`,
    about: `${spec.about}${spec.many ? ' (repeatable)' : ''}`,
  }));
  const width = Math.max(...options.map(({ left }) => left.length));
  return [
    `Usage: ${usageOf(command)}`,
    '',
    `${command.about.charAt(0).toUpperCase()}${command.about.slice(1)}.`,
    '',
    'Options:',
    ...options.map(({ left, about }) => `  ${left.padEnd(width)}  ${about}`),
  ].join('\n');
}

function usageOf(command: Command): string {
  return `beadsmith ${command.name}${command.words === '' ? '' : ` ${command.words}`} [options]`;
}
