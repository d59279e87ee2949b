import { inspect } from 'node:util';
import type { LogOutputChannel } from 'vscode';
import type { LogLevel } from '../../views/support/supportDocument.ts';

/** As the editor numbers them; 0 shows nothing. */
const numbers: Readonly<Record<LogLevel, number>> = { trace: 1, debug: 2, info: 3, warn: 4, error: 5 };

/**
 * Returns true if a channel shows no line of a level. `channel`: its current level, as the editor numbers it.
 */
export function isDropped(level: LogLevel, channel: number): boolean {
  return channel === 0 || numbers[level] < channel;
}

/** The channel for a library that writes to it by itself: whatever it writes goes through `clean` first. */
export function redactedChannel(
  channel: LogOutputChannel,
  clean: (text: string) => string,
): LogOutputChannel {
  const one = (value: unknown): string =>
    clean(value instanceof Error ? (value.stack ?? value.message) : textOf(value));
  // What the channel wouldn't show isn't made a text of, which costs more than showing it.
  const at =
    (level: LogLevel) =>
    (...values: unknown[]): void => {
      if (!isDropped(level, channel.logLevel)) channel[level](values.map(one).join(' '));
    };
  const cleaned: Omit<LogOutputChannel, 'show'> = {
    name: channel.name,
    get logLevel() {
      return channel.logLevel;
    },
    onDidChangeLogLevel: channel.onDidChangeLogLevel,
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    append: (text) => channel.append(clean(text)),
    appendLine: (text) => channel.appendLine(clean(text)),
    replace: (text) => channel.replace(clean(text)),
    clear: () => channel.clear(),
    hide: () => channel.hide(),
    dispose: () => channel.dispose(),
  };
  return Object.assign(cleaned, { show: () => channel.show() });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value);
}
