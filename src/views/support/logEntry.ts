export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A line of the extension's log. `text` holds facts of ours; `detail` may quote what a ticket, a model or another program said. */
export interface LogEntry {
  readonly at: number;
  readonly level: LogLevel;
  readonly text: string;
  readonly detail: string;
}
