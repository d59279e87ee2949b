/**
 * A file with its line, as models write them in one: `a.ts:18`, `a.ts:18-20`, `a.ts#L18`, `a.ts (line 18)`.
 */
const place =
  /^(.*?[^\s:,(#])(?::L?(\d+)(?:[-–:]L?\d+)*|#L(\d+)(?:-L?\d+)?|,?\s*\(?lines? (\d+)(?:\s*[-–]\s*\d+)?\)?)$/;

/** The first line that a text names: `18`, `L18`, `18-20`, `line 18`. */
export function lineOf(text: string): number | undefined {
  const [, line] = /^(?:lines?\s*|L)?(\d{1,9})(?:\s*(?:-|–|to)\s*L?\d{1,9})?$/i.exec(text.trim()) ?? [];
  return line === undefined ? undefined : Number(line);
}

/** An object with `file` and `line` in which the line stands beside the file. A line of its own counts. */
export function withPlace(value: Record<string, unknown>): Record<string, unknown> {
  if (typeof value['file'] !== 'string') return value;
  const file = value['file'].trim().replace(/^`(.*)`$/, '$1');
  const [, path, ...lines] = place.exec(file) ?? [];
  if (path === undefined) return file === value['file'] ? value : { ...value, file };
  return { ...value, file: path, line: value['line'] ?? Number(lines.join('')) };
}
