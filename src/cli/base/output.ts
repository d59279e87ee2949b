import { countHidden, hiddenSentence, visible } from '../../base/visible.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';

/** The output of a command. One of these per process: NDJSON, or text for people. */
export interface Output {
  /** Reports an event. The text form shows the part of it that matters to a person. */
  event(event: CliEvent): void;
  /** Text for people only. It must be printable already. */
  text(lines: string): void;
  /** Ends a live line, so that the next writer begins on a fresh one. */
  close(): void;
}

/** The target that an output writes to; process.stdout is one. */
export interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A text as a terminal may get it: nothing it would obey, and nothing that turns around what is read. */
export function printable(text: string): string {
  return visible(text);
}

/** The line that warns of what `printable` marks in a text; none when there is nothing of it. */
export function hiddenWarning(text: string): readonly string[] {
  const count = countHidden(text);
  return count === 0 ? [] : [hiddenSentence.replace('{0}', String(count))];
}

/** The same on one line of `width` characters at most. */
export function oneLine(text: string, width = 200): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

/** One event a line. Live events of what is still being stopped don't follow `end`. */
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
    // Every line is whole already.
  }
}

/** ` until 03:05`, by the clock of the machine; empty if the ticket doesn't continue by itself. */
export function untilText(until: number | null | undefined): string {
  return until === null || until === undefined ? '' : ` until ${new Date(until).toTimeString().slice(0, 5)}`;
}

/** A table whose columns are as wide as their widest cell. `figures`: the columns set to the right. */
export function tableText(rows: readonly (readonly string[])[], figures: readonly number[]): string {
  const columns = Math.max(0, ...rows.map((cells) => cells.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const set = (cell: string, column: number): string =>
    figures.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((cells) => cells.map(set).join('  ').trimEnd()).join('\n');
}
