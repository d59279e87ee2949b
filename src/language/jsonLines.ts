import type { Path } from '../domain/documents/base/document.ts';
import { type Located, type Span, readYaml } from './yamlText.ts';

/** Lines that were read before, by their text: most of a plan stays as it is while a person types. */
export type LineCache = Map<string, Located>;

interface Line {
  readonly start: number;
  readonly text: string;
}

/**
 * Reads JSON lines or a JSON array, as an array with an entry for each line that isn't blank; the first part
 * of a path is its place in there. A line that isn't JSON is an error and `undefined` in the array.
 */
export function readJsonLines(text: string, cache: LineCache = new Map()): Located {
  if (text.trimStart().startsWith('[')) return readArray(text);
  const lines = linesOf(text).map((line) => ({ ...line, ...readLine(line, cache) }));
  const forget = new Set(cache.keys());
  for (const line of lines) forget.delete(line.text);
  for (const gone of forget) cache.delete(gone);
  const lineOf = (path: Path): (typeof lines)[number] | undefined =>
    typeof path[0] === 'number' ? lines[path[0]] : lines[0];
  const start: Span = { start: 0, end: Math.min(1, text.length) };
  return {
    value: lines.map(({ located, error }) => (error ? undefined : located.value)),
    errors: lines.flatMap(({ error }) => error ?? []),
    spanOf: (path) => {
      const line = lineOf(path);
      return line ? moved(line.located.spanOf(path.slice(1)), line.start) : start;
    },
    wholeOf: (path) => {
      const line = lineOf(path);
      const whole = line?.located.wholeOf(path.slice(1));
      return line && whole ? moved(whole, line.start) : undefined;
    },
    foldable: () => [],
    pathOfKey: (offset) => {
      const index = lines.findIndex((line) => offset >= line.start && offset < line.start + line.text.length);
      const line = lines[index];
      const path = line?.located.pathOfKey(offset - line.start);
      return path && [index, ...path];
    },
  };
}

function readArray(text: string): Located {
  const located = readYaml(text);
  const error = jsonError({ start: 0, text });
  return error ? { ...located, value: [], errors: [error] } : located;
}

function readLine(
  line: Line,
  cache: LineCache,
): { readonly located: Located; readonly error: ReturnType<typeof jsonError> } {
  const located = cache.get(line.text) ?? readYaml(line.text);
  cache.set(line.text, located);
  return { located, error: jsonError(line) };
}

/** The reason why a text isn't JSON, if it isn't, at its place, or for the whole text. */
function jsonError({ start, text }: Line): { readonly message: string; readonly span: Span } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /at position (\d+)/.exec(message)?.[1];
    const from = at === undefined ? 0 : Math.min(Number(at), text.length - 1);
    return {
      message,
      span: { start: start + from, end: at === undefined ? start + text.length : start + from + 1 },
    };
  }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const whole = line.trimEnd();
    if (whole.trim() !== '') lines.push({ start, text: whole });
    start += line.length + 1;
  }
  return lines;
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}
