import type { Output } from './output.ts';

/** What a command is given besides its words: the process, as far as commands need it. */
export interface CommandContext {
  readonly output: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** The whole of standard input as text. */
  readonly readInput: () => Promise<string>;
}
