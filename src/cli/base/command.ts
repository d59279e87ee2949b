import type { ExitCode } from './exitCodes.ts';
import type { Args, OptionSpecs } from './args.ts';
import type { Output } from './output.ts';
import type { Product } from './product.ts';

/** The input of a command besides its words: the process, as far as commands need it. */
export interface CommandContext {
  readonly output: Output;
  readonly product: Product;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** The whole of standard input as text. */
  readonly readInput: () => Promise<string>;
  /** Asks a person to confirm something; absent where nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /**
   * Asks the person at the terminal that controls the process, wherever its input leads; undefined, or
   * answers so, where there is none.
   */
  readonly askTerminal?: (text: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** The words that follow the name, as `help` shows them. */
  readonly words: string;
  readonly about: string;
  /** The least and the most words that it takes. */
  readonly takes: readonly [least: number, most: number];
  /**
   * The cases in which it changes tickets, or what they are made from: never, always, or with one of these
   * options. What an agent started may only read.
   */
  readonly changes: 'nothing' | 'always' | readonly string[];
  readonly options: OptionSpecs;
  readonly run: (context: CommandContext, args: Args) => Promise<ExitCode>;
}
