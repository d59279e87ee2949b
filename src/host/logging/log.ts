import type { LogOutputChannel } from 'vscode';
import { redact } from '../../base/redact.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isFault } from '../../domain/core/faults.ts';
import type { LogEntry, LogLevel } from '../../views/support/supportDocument.ts';
import { eventSentence } from '../../domain/facts/eventSentence.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import { inspect } from 'node:util';

type Channel = Pick<LogOutputChannel, LogLevel | 'show'> & { readonly logLevel: number };

/** So many lines are kept for a report, the newest. What is only traced isn't among them. */
const keptLines = 300;

/** Longest text of a line, in characters. A little more is read, for secrets that the cut would split. */
const longestText = 16_000;

/** The extension's log: levels as the editor has them, and no secret in any line. */
export class Log {
  readonly #channel: Channel;
  readonly #secrets = new Set<string>();
  readonly #now: () => number;
  readonly #lines: LogEntry[] = [];

  constructor(channel: Channel, now: () => number) {
    this.#channel = channel;
    this.#now = now;
  }

  /** Texts that are never to be shown from now on. */
  keepSecret(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  /** The newest lines, oldest first. */
  get lines(): readonly LogEntry[] {
    return this.#lines;
  }

  /** `text` holds facts of ours; `detail` may quote what a ticket, a model or another program said. */
  write(level: LogLevel, text: string, detail = ''): void {
    // It is written many times a second, and looking for secrets costs more than everything else here.
    if (level === 'trace' && isDropped(level, this.#channel.logLevel)) return;
    const entry = { at: this.#now(), level, text: this.clean(text), detail: this.clean(detail) };
    if (level !== 'trace') this.#lines.push(entry);
    if (this.#lines.length > keptLines) this.#lines.shift();
    this.#channel[level](entry.detail === '' ? entry.text : `${entry.text}: ${entry.detail}`);
  }

  info(text: string): void {
    this.write('info', text);
  }

  /**
   * Something failed: its code, its words, and where the unexpected came from. The rest a person was told.
   */
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

/** A refused action has a code as well, and is none of our errors. */
function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof BeadsmithError) return thrown.code;
  const code: unknown = thrown instanceof Error ? Reflect.get(thrown, 'code') : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z_]{3,60}$/.test(code) ? code : undefined;
}

/** The frames of a stack, without the message above them, which may have lines of its own. */
function framesOf(thrown: unknown): readonly string[] {
  const root = thrown instanceof BeadsmithError && thrown.cause instanceof Error ? thrown.cause : thrown;
  const lines = root instanceof Error ? (root.stack ?? '').split('\n') : [];
  return lines.filter((line) => /^\s+at .*(?:\(.*:\d+:\d+\)|:\d+:\d+)$/.test(line)).slice(0, 20);
}

/**
 * An engine event as an entry of the extension's log; undefined for those that are too frequent. The text
 * quotes nothing of tickets, commands, prompts and answers; what may quote them is the detail.
 */
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

/** As the editor numbers them; 0 shows nothing. */
const numbers: Readonly<Record<LogLevel, number>> = { trace: 1, debug: 2, info: 3, warn: 4, error: 5 };

/** Returns true if a channel at this level, as the editor numbers it, shows no such line. */
function isDropped(level: LogLevel, channel: number): boolean {
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
