import type { LogLevel } from '../views/support/logEntry.ts';

/** As the editor numbers them; 0 shows nothing. */
const numbers: Readonly<Record<LogLevel, number>> = { trace: 1, debug: 2, info: 3, warn: 4, error: 5 };

/** Whether a channel shows no line of a level. `channel`: its present level, as the editor numbers it. */
export function isDropped(level: LogLevel, channel: number): boolean {
  return channel === 0 || numbers[level] < channel;
}
