import { type ExitCode, exitCodes } from './exitCodes.ts';
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
  /** Asks the person at the terminal of the process, wherever its input leads; undefined without one. */
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
  /** Cases in which it changes tickets or their sources: never, always, or with one of these options. */
  readonly changes: 'nothing' | 'always' | readonly string[];
  readonly options: OptionSpecs;
  readonly run: (context: CommandContext, args: Args) => Promise<ExitCode>;
}

/** Ends a command: reports its exit code, its ticket and the status of that. Answers the code. */
export function endCommand(
  { output }: Pick<CommandContext, 'output'>,
  { ticket = null, status = null }: { readonly ticket?: string | null; readonly status?: string | null } = {},
  exit: ExitCode = exitCodes.done,
): ExitCode {
  output.event({ type: 'end', exit, ticket, status });
  return exit;
}

/** Reports a document of a ticket. What people get of it is printed apart. */
export function reportDocument(
  { output }: Pick<CommandContext, 'output'>,
  ticket: string,
  name: string,
  { content, sha256 }: { readonly content: string; readonly sha256: string },
): void {
  output.event({ type: 'document', ticket, name, sha256, content });
}
