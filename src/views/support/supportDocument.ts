export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** `text` holds facts of ours; `detail` may quote what a ticket, a model or another program said. */
export interface LogEntry {
  readonly at: number;
  readonly level: LogLevel;
  readonly text: string;
  readonly detail: string;
}

/** A text about the product, kept as long as the window. */
export type SupportName =
  'report.md' | 'verification.txt' | 'rehearsal.txt' | 'replay.txt' | 'request.txt' | 'import.md';
