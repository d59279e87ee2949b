import type { CliEvent } from '../protocol/cliEvents.ts';

/** Where a command tells what it does. One of these per process: NDJSON, or text for people. */
export interface Output {
  /** What happened. The text form shows what a person wants to know of it. */
  event(event: CliEvent): void;
  /** Text for people only. It must be printable already. */
  text(lines: string): void;
  /** Ends a live line, so that the next writer begins on a fresh one. */
  close(): void;
}

/** What an output writes to; process.stdout is one. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}
