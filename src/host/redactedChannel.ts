import { inspect } from 'node:util';
import type { LogOutputChannel } from 'vscode';

/** The channel for a library that writes to it by itself: whatever it writes goes through `clean` first. */
export function redactedChannel(channel: LogOutputChannel, clean: (text: string) => string): LogOutputChannel {
  const one = (value: unknown): string => clean(value instanceof Error ? (value.stack ?? value.message) : textOf(value));
  const all = (values: readonly unknown[]): string => values.map(one).join(' ');
  const cleaned: Omit<LogOutputChannel, 'show'> = {
    name: channel.name,
    get logLevel() {
      return channel.logLevel;
    },
    onDidChangeLogLevel: channel.onDidChangeLogLevel,
    trace: (...values: unknown[]) => channel.trace(all(values)),
    debug: (...values: unknown[]) => channel.debug(all(values)),
    info: (...values: unknown[]) => channel.info(all(values)),
    warn: (...values: unknown[]) => channel.warn(all(values)),
    error: (...values: unknown[]) => channel.error(all(values)),
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
