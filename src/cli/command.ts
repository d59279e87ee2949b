import type { Args, OptionSpecs } from './args.ts';
import type { CommandContext } from './commandContext.ts';
import type { ExitCode } from './exitCodes.ts';

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** What follows the name, as `help` shows it. */
  readonly words: string;
  readonly about: string;
  /** How many words it takes at least and at most. */
  readonly takes: readonly [least: number, most: number];
  readonly options: OptionSpecs;
  readonly run: (context: CommandContext, args: Args) => Promise<ExitCode>;
}
