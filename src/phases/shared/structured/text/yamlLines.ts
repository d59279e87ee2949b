import { isQuotedByRule } from './repair.ts';
import { bareKey } from './spellings.ts';

/** Lines inside of blocks and of quotes over several lines aren't among them. */
export interface Line {
  readonly head: string;
  readonly key: string;
  readonly value: string;
  /** The next line belongs to this one: it is deeper, or an item of it. */
  readonly opens: boolean;
}

const dashes = /^([ \t\u00A0]*(?:-[ \t\u00A0]+)*)(.*)$/s;
/** A key ends before the spaces that precede its colon, so that many spaces are read once. */
const keyed =
  /^((?:"[^"\n]*"|'[^'\n]*'|[^\s"'#[\]{}|>,](?:[^\n]*?[^ \t\u00A0\n])??)[ \t\u00A0]*:)(?:([ \t\u00A0]+)(.*))?$/s;

const decorated = /^["'*`“”_]{0,3}[A-Za-z][\w .-]*["'*`“”_]{0,3}[ \t\u00A0]*:$/;

export interface LineChange {
  readonly head?: (head: string, line: Line) => string;
  readonly value?: (value: string, line: Line) => string;
  readonly block?: (lines: readonly string[]) => readonly string[];
}

export function mapLines(
  text: string,
  keys: ReadonlySet<string>,
  { head, value, block }: LineChange,
): string {
  const lines = text.split('\n');
  const next = followers(lines);
  const result: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const read = readLine(line, next[at] ?? '', keys);
    const end = endOf(lines, at, read);
    if (line.trim() === '' || line.trimStart().startsWith('#')) result.push(line);
    else {
      const start = head?.(read.head, read) ?? read.head;
      const changed = end === at + 1 ? (value?.(read.value, read) ?? read.value) : read.value;
      const endOfText =
        changed !== read.value && isQuotedByRule(changed)
          ? endOfPlain({ lines, next }, at, read, keys)
          : at + 1;
      if (endOfText > at + 1) {
        // What continues the text goes into its quotes.
        result.push(`${start}${value?.(folded(lines.slice(at, endOfText), read), read) ?? changed}`);
        at = endOfText;
        continue;
      }
      result.push(`${start}${changed}`);
    }
    const inside = lines.slice(at + 1, end);
    for (const line of block && isBlock(read.value) ? block(inside) : inside) result.push(line);
    at = end;
  }
  return result.join('\n');
}

export function commentsOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const next = followers(lines);
  const found: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = (lines[at] ?? '').trim();
    if (line.startsWith('#') || line.startsWith('//') || line.startsWith('/*')) found.push(line);
    at = line.startsWith('#')
      ? at + 1
      : endOf(lines, at, readLine(lines[at] ?? '', next[at] ?? '', new Set()));
  }
  return found;
}

/** From the end, so that blank lines are read once. */
function followers(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let next = '';
  for (const line of lines.toReversed()) {
    found.push(next);
    if (line.trim() !== '') next = line;
  }
  return found.reverse();
}

function readLine(line: string, next: string, keys: ReadonlySet<string>): Line {
  const [, lead = '', rest = ''] = dashes.exec(line) ?? [];
  const [, key = '', space = '', value = ''] = keyed.exec(rest) ?? [];
  // After a dash `Given a cart: it is empty` is a text, unless its key exists or the next line continues an
  // entry.
  const isKey =
    key !== '' &&
    (!lead.includes('-') ||
      (decorated.test(key) && keys.has(bareKey(key))) ||
      (keyed.test(next.trim()) && indentOf(next) === lead.length && !next.trim().startsWith('-')));
  const column = isKey ? lead.length : indentOf(line);
  const opens =
    next.trim() !== '' &&
    (indentOf(next) > column || (isKey && indentOf(next) === column && next.trimStart().startsWith('-')));
  return isKey
    ? { head: `${lead}${key}${space}`, key: key.slice(0, -1).trim(), value, opens }
    : { head: lead, key: '', value: rest, opens };
}

function endOf(lines: readonly string[], at: number, { head, value }: Line): number {
  if (isBlock(value)) return endOfBlock(lines, at, parentIndent(head));
  const quote = value.trimStart().charAt(0);
  if ((quote === '"' || quote === "'") && !isClosed(value.trim(), quote))
    return endOfQuotes(lines, at, value, quote) ?? at + 1;
  return at + 1;
}

function endOfPlain(
  { lines, next }: { readonly lines: readonly string[]; readonly next: readonly string[] },
  at: number,
  { head, key: own }: Line,
  keys: ReadonlySet<string>,
): number {
  if (own === '' && !head.includes('-')) return at + 1;
  const parent = parentIndent(head);
  let end = at + 1;
  for (; end < lines.length; end++) {
    if (end - at > longestText) return at + 1;
    const line = lines[end] ?? '';
    if (line.trim() === '' || indentOf(line) <= parent || line.trimStart().startsWith('#')) break;
    const { head: lead, key } = readLine(line, next[end] ?? '', keys);
    // What is deeper is no text then, but belongs to an entry.
    if (key !== '' || lead.trim() !== '') return at + 1;
  }
  return end;
}

function folded(lines: readonly string[], { value }: Line): string {
  return [value, ...lines.slice(1)].map((line) => line.trim()).join(' ');
}

function isBlock(value: string): boolean {
  return /^[|>][-+0-9]*[ \t]*(?:#.*)?$/.test(value.trim());
}

function parentIndent(head: string): number {
  const key = head.replace(/^[ \t\u00A0-]*/, '');
  return key === '' ? head.lastIndexOf('-') : head.length - key.length;
}

function endOfBlock(lines: readonly string[], at: number, parent: number): number {
  let end = at + 1;
  while (end < lines.length && ((lines[end] ?? '').trim() === '' || indentOf(lines[end] ?? '') > parent))
    end++;
  return end;
}

const longestText = 40;

function endOfQuotes(lines: readonly string[], at: number, value: string, quote: string): number | undefined {
  let text = value.trim();
  for (let end = at + 1; end < Math.min(lines.length, at + longestText); end++) {
    text += `\n${(lines[end] ?? '').trim()}`;
    if (isClosed(text, quote)) return end + 1;
    // A further quote that closes in the middle of a line isn't this text's.
    if ((lines[end] ?? '').includes(quote)) return undefined;
  }
  return undefined;
}

function isClosed(text: string, quote: string): boolean {
  return (
    quote === '"' ? /^"(?:[^"\\]|\\[\s\S])*"[ \t]*(?:#.*|,)?$/ : /^'(?:[^']|'')*'[ \t]*(?:#.*|,)?$/
  ).test(text);
}

export function indentOf(line: string): number {
  return line.length - line.replace(/^[ \t\u00A0]+/, '').length;
}
