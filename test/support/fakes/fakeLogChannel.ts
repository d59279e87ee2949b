import type { LogOutputChannel } from 'vscode';

/** Keeps its lines behind their levels. `logLevel` is only told. */
export class FakeLogChannel implements Omit<LogOutputChannel, 'logLevel' | 'onDidChangeLogLevel'> {
  logLevel = 1;
  readonly name = 'fake';
  readonly lines: string[] = [];
  trace = this.#level('trace');
  debug = this.#level('debug');
  info = this.#level('info');
  warn = this.#level('warn');
  error = this.#level('error');

  append(text: string): void {
    this.lines.push(text);
  }

  appendLine(text: string): void {
    this.lines.push(text);
  }

  replace(text: string): void {
    this.lines.splice(0, this.lines.length, text);
  }

  clear(): void {}
  show(): void {}
  hide(): void {}
  dispose(): void {}

  #level(level: string): (...values: unknown[]) => void {
    return (...values) => this.lines.push([level, ...values.map(String)].join(' '));
  }
}
