import type { LogOutputChannel } from 'vscode';

/** The channel for a library that writes to it by itself: whatever it writes goes through `clean` first. */
export function redactedChannel(channel: LogOutputChannel, clean: (text: string) => string): LogOutputChannel {
  const one = (value: unknown): string => clean(value instanceof Error ? (value.stack ?? value.message) : textOf(value ?? null));
  const all = (values: readonly unknown[]): string => values.map(one).join(' ');
  return {
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
    show: channel.show.bind(channel),
    hide: () => channel.hide(),
    dispose: () => channel.dispose(),
  };
}

function textOf(value: NonNullable<unknown> | null): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
