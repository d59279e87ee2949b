import type { LogOutputChannel } from 'vscode';
import { redact } from '../../base/redact.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isFault } from '../../domain/core/faults.ts';
import type { LogEntry, LogLevel } from '../../views/support/supportDocument.ts';
import { isDropped } from './redactedChannel.ts';

type Channel = Pick<LogOutputChannel, LogLevel | 'show'> & { readonly logLevel: number };

/** So many lines are kept for a report, the newest. What is only traced isn't among them. */
const keptLines = 300;

/**
 * Longest text of a line, in characters; the rest is cut. A little more is read, so that a secret that the
 * cut would split is recognized.
 */
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
   * Something failed: its code, its own words, and for what nobody expected where it came from. Any other was
   * told to a person, with what to do.
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
