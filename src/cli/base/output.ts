import { oneLine as cutLine } from '../../base/oneLine.ts';
import { countHidden, hiddenSentence, visible } from '../../base/visible.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';

/** NDJSON, or text for people. */
export interface Output {
  event(event: CliEvent): void;
  /** Text for people only, already printable. */
  text(lines: string): void;
  /** Ends a live line. */
  close(): void;
}

/** process.stdout, or a stand-in for it. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Text without what a terminal would obey and without bidirectional controls. */
export function printable(text: string): string {
  return visible(text);
}

/** Says how many characters `printable` marked. */
export function hiddenWarning(text: string): readonly string[] {
  const count = countHidden(text);
  return count === 0 ? [] : [hiddenSentence.replace('{0}', String(count))];
}

/** A whole document, with a warning of what was marked in it. */
export function wholeText(content: string): string {
  return [printable(content).trimEnd(), ...hiddenWarning(content)].join('\n');
}

/** Printable text on one line, cut at `width` characters. */
export function oneLine(text: string, width = 200): string {
  return cutLine(printable(text), width);
}

/** One event per line. After `end`, live events of what still stops are dropped. */
export class JsonOutput implements Output {
  readonly #sink: Sink;
  #ended = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  event(event: CliEvent): void {
    if (this.#ended && event.type !== 'error' && event.type !== 'end') return;
    this.#ended ||= event.type === 'end';
    this.#sink.write(`${JSON.stringify(event)}\n`);
  }

  text(): void {
    // For people only.
  }

  close(): void {
    // Nothing to do: every line is complete.
  }
}

/** ` until 03:05`, in local time. */
export function untilText(until: number | null | undefined): string {
  return until === null || until === undefined ? '' : ` until ${new Date(until).toTimeString().slice(0, 5)}`;
}

/** Lines below a title; nothing if there are none. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** `figures`: the columns aligned right. */
export function tableText(rows: readonly (readonly string[])[], figures: readonly number[]): string {
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const set = (cell: string, column: number): string =>
    figures.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(set).join('  ').trimEnd()).join('\n');
}
