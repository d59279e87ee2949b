export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** `text` holds facts of ours; `detail` may quote what a ticket, a model or another program said. */
export interface LogEntry {
  readonly at: number;
  readonly level: LogLevel;
  readonly text: string;
  readonly detail: string;
}

export type SupportName =
  | 'setup.txt'
  | 'report.md'
  | 'verification.txt'
  | 'rehearsal.txt'
  | 'replay.txt'
  | 'request.txt'
  | 'import.md';

export interface SupportLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly command: string;
  readonly args: readonly unknown[];
}

/** A text kept as long as the window. */
export interface SupportDocument {
  readonly text: string;
  readonly links: readonly SupportLink[];
}
