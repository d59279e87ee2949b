/** A hunk's unsigned lines; `start`: the number of the first new one. */
export interface Hunk {
  readonly start: number;
  readonly after: readonly string[];
  readonly before: readonly string[];
}

/** The hunks of git's diff, by path. Unreadable parts are left out, so nobody believes them. */
export function hunksOf(diff: string): ReadonlyMap<string, readonly Hunk[]> {
  const files = new Map<string, Hunk[]>();
  let paths: { before: string; after: string } = { before: '', after: '' };
  let open:
    { start: number; after: string[]; before: string[]; left: { before: number; after: number } } | undefined;
  for (const line of diff.split('\n')) {
    if (open && (open.left.before > 0 || open.left.after > 0)) {
      const sign = line[0] ?? ' ';
      const text = line.slice(1);
      if (sign === '\\') continue;
      if (sign !== '+') open.before.push(text);
      if (sign !== '-') open.after.push(text);
      open.left.before -= sign === '+' ? 0 : 1;
      open.left.after -= sign === '-' ? 0 : 1;
      continue;
    }
    const [, oldCount, start, newCount] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start !== undefined) {
      open = {
        start: Number(start),
        after: [],
        before: [],
        left: { before: Number(oldCount ?? 1), after: Number(newCount ?? 1) },
      };
      const path = paths.after === '' ? paths.before : paths.after;
      files.set(path, [...(files.get(path) ?? []), open]);
    } else if (line.startsWith('--- ')) paths = { before: pathOf(line.slice(4)), after: '' };
    else if (line.startsWith('+++ ')) paths = { ...paths, after: pathOf(line.slice(4)) };
  }
  return files;
}

/** Empty for /dev/null. Git quotes special characters and ends spaces by a tab. */
function pathOf(text: string): string {
  const name = text.replace(/\t$/, '');
  if (name === '/dev/null') return '';
  const bare = name.startsWith('"') ? unquoted(name.slice(1, -1)) : name;
  return bare.replace(/^[ab]\//, '');
}

/** A quoted byte: three octal digits or a letter behind a backslash. */
function unquoted(text: string): string {
  const encoder = new TextEncoder();
  const parts = text.match(/\\[0-7]{3}|\\.|[^\\]+/g) ?? [];
  const bytes = parts.flatMap((part) => {
    if (!part.startsWith('\\')) return [...encoder.encode(part)];
    if (/^\\[0-7]/.test(part)) return [Number.parseInt(part.slice(1), 8)];
    const letter = part.slice(1);
    return [...encoder.encode(escapes.get(letter) ?? letter)];
  });
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);
