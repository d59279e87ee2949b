import type { LogOutputChannel } from 'vscode';
import { redact } from '../../base/redact.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isFault } from '../../domain/core/faults.ts';
import type { LogEntry, LogLevel } from '../../views/support/supportDocument.ts';
import { eventSentence } from '../../domain/facts/eventSentence.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import { inspect } from 'node:util';

type Channel = Pick<LogOutputChannel, LogLevel | 'show'> & { readonly logLevel: number };

/** For reports; without traces. */
const keptLines = 300;

/** In characters. A little more is read, for secrets at the cut. */
const longestText = 16_000;

/** The extension's log, without secrets. */
export class Log {
  readonly #channel: Channel;
  readonly #secrets = new Set<string>();
  readonly #now: () => number;
  readonly #lines: LogEntry[] = [];

  constructor(channel: Channel, now: () => number) {
    this.#channel = channel;
    this.#now = now;
  }

  keepSecret(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  get lines(): readonly LogEntry[] {
    return this.#lines;
  }

  /** `text`: our facts; `detail`: may quote tickets, models or programs. */
  write(level: LogLevel, text: string, detail = ''): void {
    // Frequent, and redaction is expensive.
    if (level === 'trace' && isDropped(level, this.#channel.logLevel)) return;
    const entry = { at: this.#now(), level, text: this.clean(text), detail: this.clean(detail) };
    if (level !== 'trace') this.#lines.push(entry);
    if (this.#lines.length > keptLines) this.#lines.shift();
    this.#channel[level](entry.detail === '' ? entry.text : `${entry.text}: ${entry.detail}`);
  }

  info(text: string): void {
    this.write('info', text);
  }

  /** Logs code, message, and a fault's stack. */
  failure(what: string, thrown: unknown): void {
    const code = codeOf(thrown);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (code !== undefined && !isFault(code)) this.write('warn', `${what}: ${code}`, message);
    else this.write('error', [`${what}: ${code ?? 'UNEXPECTED'}`, ...framesOf(thrown)].join('\n'), message);
  }

  clean(text: string): string {
    const shown = redact(text.slice(0, 1.5 * longestText), { secrets: this.#secrets });
    return text.length <= longestText ? shown : `${shown.slice(0, longestText)}…`;
  }

  show(): void {
    this.#channel.show();
  }
}

/** A refused action's code isn't an error of ours. */
function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof BeadsmithError) return thrown.code;
  const code: unknown = thrown instanceof Error ? Reflect.get(thrown, 'code') : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z_]{3,60}$/.test(code) ? code : undefined;
}

/** Without the message, which may have similar lines. */
function framesOf(thrown: unknown): readonly string[] {
  const root = thrown instanceof BeadsmithError && thrown.cause instanceof Error ? thrown.cause : thrown;
  const lines = root instanceof Error ? (root.stack ?? '').split('\n') : [];
  return lines.filter((line) => /^\s+at .*(?:\(.*:\d+:\d+\)|:\d+:\d+)$/.test(line)).slice(0, 20);
}

/** Undefined for frequent events. Only the detail may quote tickets, commands, prompts and answers. */
export function eventLog(event: TicketEvent): Omit<LogEntry, 'at'> | undefined {
  if (event.type === 'step' && event.state === 'replayed') return undefined;
  const isTalk = event.type === 'activity' && (event.kind === 'text' || event.kind === 'reasoning');
  if (isTalk) return undefined;
  const { level, source, text, detail } = eventSentence(event, true);
  const by = source === 'engine' ? '' : ` by ${source}`;
  return {
    level: level === 'warning' ? 'warn' : level,
    text: `${event.ticket}: ${text}${by}`,
    detail,
  };
}

/** The editor's numbers; 0 shows nothing. */
const numbers: Readonly<Record<LogLevel, number>> = { trace: 1, debug: 2, info: 3, warn: 4, error: 5 };

function isDropped(level: LogLevel, channel: number): boolean {
  return channel === 0 || numbers[level] < channel;
}

/** A library's channel, through `clean`. */
export function redactedChannel(
  channel: LogOutputChannel,
  clean: (text: string) => string,
): LogOutputChannel {
  const one = (value: unknown): string =>
    clean(value instanceof Error ? (value.stack ?? value.message) : textOf(value));
  // Formatting is expensive, so not for hidden lines.
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
