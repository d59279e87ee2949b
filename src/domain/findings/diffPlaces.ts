/** A hunk's unsigned lines; `start`: the number of the first new one; `signs`: one for each line of git's. */
export interface Hunk {
  readonly start: number;
  readonly after: readonly string[];
  readonly before: readonly string[];
  readonly signs: string;
}

/** Neighboring lines that changed. `at`: the index of the first in the hunk's `after`. */
export interface Change {
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The changes of a hunk without the lines around them, in their order. */
export function changesOf({ signs, before, after }: Hunk): readonly Change[] {
  let [was, now] = [0, 0];
  return (signs.match(/ +|[+-]+/g) ?? []).flatMap((run): readonly Change[] => {
    const added = run.replaceAll('-', '').length;
    const removed = run.replaceAll('+', '').length;
    const change = {
      at: now,
      before: before.slice(was, was + removed),
      after: after.slice(now, now + added),
    };
    was += removed;
    now += added;
    return run.startsWith(' ') ? [] : [change];
  });
}

interface Open extends Hunk {
  readonly after: string[];
  readonly before: string[];
  signs: string;
  readonly left: { before: number; after: number };
}

/** The hunks of git's diff, by path. Unreadable parts are left out, so nobody believes them. */
export function hunksOf(diff: string): ReadonlyMap<string, readonly Hunk[]> {
  const files = new Map<string, Hunk[]>();
  let paths: { before: string; after: string } = { before: '', after: '' };
  let open: Open | undefined;
  for (const line of diff.split('\n')) {
    if (open && (open.left.before > 0 || open.left.after > 0)) {
      const sign = line[0] ?? ' ';
      const text = line.slice(1);
      if (sign === '\\') continue;
      open.signs += sign === '+' || sign === '-' ? sign : ' ';
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
        signs: '',
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
