import type { Command } from '../command.ts';

/** What `beadsmith help` prints. */
export function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    'Turns a ticket into a reviewed pull request.',
    '',
    'Usage: beadsmith COMMAND [options]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.about}`),
    `  ${'help'.padEnd(width)}  this text, or "beadsmith help COMMAND" for one command`,
    '',
    'Exit codes: 0 done, 1 failed, 2 usage error, 3 waiting at a gate, 4 blocked, 5 canceled.',
  ].join('\n');
}

/** What `beadsmith help COMMAND` prints. */
export function commandHelp(command: Command): string {
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

/** One line: how a command is written. */
export function usageOf(command: Command): string {
  return `beadsmith ${command.name}${command.words === '' ? '' : ` ${command.words}`} [options]`;
}
