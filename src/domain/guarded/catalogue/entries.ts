import { isRecord, jsonOf } from '../../../base/json.ts';

/** A setting: full key, value as text, and line if known. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  readonly line: number | null;
}

/** Formats that are read by parts. */
export type Format = 'json' | 'toml' | 'ini' | 'lines';

/** A text's settings; undefined if unreadable, none if missing. */
export function entriesOf(format: Format, text: string | null): readonly Entry[] | undefined {
  if (text === null) return [];
  return readers[format](text);
}

const readers: Readonly<Record<Format, (text: string) => readonly Entry[] | undefined>> = {
  json,
  toml,
  ini,
  lines,
};

/** Deeper than the second level is one value. */
function json(text: string): readonly Entry[] | undefined {
  const content = parsed(text);
  if (!isRecord(content)) return undefined;
  return Object.entries(content).flatMap(([key, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([inner, one]) => ({
          key: `${key}.${inner}`,
          value: JSON.stringify(one),
          line: null,
        }))
      : [{ key, value: JSON.stringify(value), line: null }],
  );
}

/** Parses JSON, also with comments; undefined if unreadable. */
export function parsed(text: string): unknown {
  const whole = text.replace(/^\uFEFF/, '');
  return jsonOf(whole) ?? jsonOf(withoutComments(whole));
}

/** An open comment ends with the text, so that no text takes long. */
function withoutComments(text: string): string {
  const kept = (_: string, string: string | undefined) => string ?? '';
  return text
    .replace(/("(?:[^"\\]|\\.)*(?:"|\\?$))|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, kept)
    .replace(/("(?:[^"\\]|\\.)*(?:"|\\?$))|,(?=\s{0,1000}[}\]])/g, kept);
}

/** A longer text can hide what looks like a section, so values are followed to their end. */
function toml(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  let section = '';
  let empty: Entry | undefined;
  let rest: Rest = { depth: 0, quote: '' };
  let value: string[] = [];
  let start: Omit<Entry, 'value'> | undefined;
  const close = () => {
    if (start) entries.push({ ...start, value: value.join(' ').replace(/\s+/g, ' ').trim() });
    if (start) empty = undefined;
    start = undefined;
  };
  for (const [index, whole] of text.split('\n').entries()) {
    if (start && (rest.depth > 0 || rest.quote !== '')) {
      value.push(whole);
      rest = after(rest, whole);
      continue;
    }
    close();
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, header] = /^\[{1,2}([^[\]]*)\]{1,2}\s*(?:#.*)?$/.exec(line) ?? [];
    if (header !== undefined) {
      section = bareKey(header);
      // An empty section can mean something, such as no source of packages.
      if (empty) entries.push(empty);
      empty = { key: section, value: line, line: index + 1 };
      continue;
    }
    const [key = '', ...values] = line.split('=');
    start = { key: [section, bareKey(key)].filter(Boolean).join('.'), line: index + 1 };
    value = [values.join('=')];
    rest = after({ depth: 0, quote: '' }, value[0] ?? '');
  }
  close();
  return empty ? [...entries, empty] : entries;
}

/** A key in one spelling, without spaces and quotes. */
function bareKey(key: string): string {
  return key.replace(/[\s"']/g, '');
}

/** Open at a line's end: lists and tables, and a text in three quotes. */
interface Rest {
  readonly depth: number;
  readonly quote: string;
}

const endOf: Readonly<Record<string, RegExp>> = {
  '"""': /^(?:[^"\\]|\\(?:.|$)|"(?!""))*"""/,
  "'''": /^(?:[^']|'(?!''))*'''/,
};

function after(open: Rest, line: string): Rest {
  let { depth, quote } = open;
  let text = line;
  for (;;) {
    if (quote !== '') {
      const [end] = endOf[quote]?.exec(text) ?? [];
      if (end === undefined) return { depth, quote };
      text = text.slice(end.length);
      quote = '';
    }
    const next = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[[\]{}]/.exec(text);
    if (!next) return { depth, quote };
    const [token] = next;
    text = text.slice(next.index + token.length);
    if (token in endOf) quote = token;
    else if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
  }
}

function ini(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  let section = '';
  let key = '';
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    const [, header] = /^\[(.*)\]$/.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (/^\s/.test(whole)) entries.push({ key, value: line, line: index + 1 });
    else {
      const [name = '', ...rest] = line.split(/[=:]/);
      key = `${section}.${name.trim()}`;
      entries.push({ key, value: rest.join('=').trim(), line: index + 1 });
    }
  }
  return entries;
}

function lines(text: string): readonly Entry[] {
  return text.split('\n').flatMap((whole, index) => {
    const line = whole.trim();
    return line === '' ? [] : [{ key: line, value: '', line: index + 1 }];
  });
}

/** Entries beyond those of the others. */
export function newEntries(others: readonly Entry[], entries: readonly Entry[]): readonly Entry[] {
  const left = new Map<string, number>();
  const name = ({ key, value }: Entry): string => `${key}\n${value}`;
  for (const one of others) left.set(name(one), (left.get(name(one)) ?? 0) + 1);
  return entries.filter((one) => {
    const count = left.get(name(one)) ?? 0;
    left.set(name(one), count - 1);
    return count <= 0;
  });
}

/** Lines that another text lacks, of any length. */
export function newLines(
  before: string | null,
  text: string,
): readonly { readonly line: number; readonly text: string }[] {
  return newEntries(lines(before ?? ''), lines(text)).map(({ key, line }) => ({
    line: line ?? 1,
    text: key,
  }));
}
