import { type ExitCode, exitCodes } from './exitCodes.ts';
import type { Args, OptionSpecs } from './args.ts';
import { printable, type Output } from './output.ts';
import type { Product } from './product.ts';

/** The process, as far as commands need it. */
export interface CommandContext {
  readonly output: Output;
  readonly product: Product;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  readonly readInput: () => Promise<string>;
  /** Absent where nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks the person at the terminal, wherever standard input leads; undefined without one. */
  readonly askTerminal?: (text: string, signal: AbortSignal) => Promise<string | undefined>;
}

export interface Command {
  readonly name: string;
  readonly words: string;
  readonly about: string;
  readonly takes: readonly [least: number, most: number];
  /** It changes tickets or their sources: never, always, or with one of these options. */
  readonly changes: 'nothing' | 'always' | readonly string[];
  /** It works on this machine alone: what people do for a team's tickets instead. */
  readonly instead?: string;
  readonly options: OptionSpecs;
  readonly run: (context: CommandContext, args: Args) => Promise<ExitCode>;
}

/** Reports the end of a command. */
export function endCommand(
  { output }: Pick<CommandContext, 'output'>,
  { ticket = null, status = null }: { readonly ticket?: string | null; readonly status?: string | null } = {},
  exit: ExitCode = exitCodes.done,
): ExitCode {
  output.event({ type: 'end', exit, ticket, status });
  return exit;
}

interface PrintedDocument {
  readonly ticket: string;
  readonly name: string;
  readonly content: string;
  readonly sha256?: string;
}

/** `text`: what people get of it, printable. */
export function printDocument(
  { output }: Pick<CommandContext, 'output'>,
  { ticket, name, content, sha256 }: PrintedDocument,
  text = printable(content),
): void {
  output.event({ type: 'document', ticket, name, sha256: sha256 ?? null, content });
  output.text(text);
}
