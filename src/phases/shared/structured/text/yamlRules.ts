import { bareKey } from './spellings.ts';
import { quotedByRule, literalBackslashes } from './repair.ts';
import { indentOf, type LineChange, mapLines } from './yamlLines.ts';
import { smallest } from '../../../../base/extremes.ts';

export interface YamlRule {
  readonly name: string;
  /** YAML reads the slip as something else; other rules are applied only if it can't read it. */
  readonly always?: true;
  readonly repair: (text: string, keys: ReadonlySet<string>) => string;
}

export const yamlRules: readonly YamlRule[] = [
  {
    name: 'non-breaking-space',
    always: true,
    repair: inLines({
      head: (head) => head.replaceAll('\u00A0', ' '),
      block: (lines) =>
        lines.map((line) => line.replace(/^[ \u00A0]+/, (indent) => ' '.repeat(indent.length))),
    }),
  },
  { name: 'bullet', always: true, repair: withDashes },
  {
    name: 'smart-quotes',
    always: true,
    repair: inLines({
      value: (value) =>
        value.replace(/^[“„](?![^“]*”.)(.*)”([ \t]*,?)$/, (_, inner: string) => quotedByRule(inner)),
    }),
  },
  { name: 'escapes', always: true, repair: inLines({ value: withLiteralBackslashes }) },
  {
    name: 'decorated-key',
    always: true,
    repair: (text, keys) =>
      mapLines(text, keys, {
        head: (head) => undecorated(head, keys),
        value: (value, { key }) => (key === '' ? undecorated(value, keys) : value),
      }),
  },
  {
    name: 'reserved-start',
    always: true,
    repair: (text, keys) => {
      const words = wordsOf(text);
      return mapLines(text, keys, {
        value: (value, { head, key, opens }) =>
          isReserved(value, words) ||
          (!opens && /^[|>]/.test(value)) ||
          (head.trim() !== '' && !opens && value.startsWith('#')) ||
          (key !== '' && /^[-?][ \t]/.test(value))
            ? quotedByRule(value.trimEnd())
            : value,
      });
    },
  },
  { name: 'tab', repair: inLines({ head: headWithoutTabs, block: blockWithoutTabs }) },
  { name: 'missing-space', repair: withSpaces },
  {
    name: 'trailing-comma',
    repair: inLines({
      value: (value) => value.replace(/^("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\}|\]|\}),[ \t]*$/, '$1'),
    }),
  },
  { name: 'inner-quotes', repair: inLines({ value: withInnerQuotes }) },
  {
    name: 'colon-in-text',
    repair: inLines({
      value: (value, { head }) =>
        isPlain(value) && /:(?:[ \t]|$)/.test(value) && head !== '' ? quotedByRule(value.trimEnd()) : value,
    }),
  },
  { name: 'indentation', repair: aligned },
];

function inLines(change: LineChange): YamlRule['repair'] {
  return (text, keys) => mapLines(text, keys, change);
}

function isPlain(value: string): boolean {
  return value !== '' && !/^(?:["'[{#&*!]|[|>][-+0-9]*[ \t]*(?:#.*)?$)/.test(value);
}

/** A text starts with what YAML keeps, other than a named anchor or a flow that closes. */
function isReserved(value: string, words: ReadonlySet<string>): boolean {
  const start = value.trimEnd();
  if (/^(?:[`@%]|:(?:[ \t]|$))/.test(start) || (/[ \t]---/.test(start) && !/^["'[{]/.test(start)))
    return true;
  if (/^[|>]/.test(start)) return !/^[|>][-+0-9]*(?:[ \t]+#.*)?$/.test(start);
  const [, sign = '', name = ''] = /^([*&])([\w-]+)(?:[ \t]|$)/.exec(start) ?? [];
  if (/^[*&]/.test(start))
    return (
      sign === '' ||
      !words.has(`${sign === '*' ? '&' : '*'}${name}`) ||
      (sign === '*' && start !== `*${name}`)
    );
  if (start.startsWith('!')) return true;
  return isBracketed(start) && !isFlow(start);
}

/** Only where the whole value is in quotes or brackets: elsewhere a backslash is one. */
function withLiteralBackslashes(value: string): string {
  return /^(?:"(?:[^"\\]|\\.)*"[ \t]*(?:#.*|,)?$|[[{])/.test(value) ? literalBackslashes(value) : value;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s,[\]{}]+/));
}

/** A text starts with something in brackets: `[x] do it`. An open one is a list cut off. */
function isBracketed(value: string): boolean {
  let depth = 0;
  for (let place = 0; place < value.length; place++) {
    const character = value.charAt(place);
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth === 0) return place > 0 && /^[ \t]*[^\s,#\]}]/.test(value.slice(place + 1));
  }
  return false;
}

function isFlow(value: string): boolean {
  const text = value.replace(/(?<![ \t])[ \t]+#.*$/, '').trimEnd();
  let depth = 0;
  for (const [place, [part]] of [
    ...text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{}]|[^"'[\]{}]+|["']/g),
  ].entries()) {
    if (part === '[' || part === '{') depth++;
    else if (part === ']' || part === '}') depth--;
    else if (depth === 0 && place > 0) return false;
  }
  return depth === 0;
}

/** `**title:** x`, `` `title`: x `` and `“title”: x`, where the key exists. */
function undecorated(text: string, keys: ReadonlySet<string>): string {
  const match =
    /^([ \t-]*)(?:\*\*|__|`|[“”])([\w .-]+?)(?::(?:\*\*|__)|(?:\*\*|__|`|[“”])[ \t]*:)(?=[ \t]|$)/.exec(text);
  return match && keys.has(bareKey(match[2] ?? ''))
    ? `${match[1] ?? ''}${match[2] ?? ''}:${text.slice(match[0].length)}`
    : text;
}

const bullet = /^([ \t]*)(?:[*•+·‣–][ \t]+|\d{1,3}[.)][ \t]+|-(?=[^\s\d-]))/;

/** `* x`, `• x`, `1. x`, `-x`, where a list may be. */
function withDashes(text: string, keys: ReadonlySet<string>): string {
  let mayBeItem = false;
  return mapLines(text, keys, {
    head: (head) => (mayBeItem ? head.replace(bullet, '$1- ') : head),
    value: (value, { head, key }) => {
      const isBare = head.trim() === '' && key === '';
      const item = isBare && mayBeItem ? value.replace(bullet, '$1- ') : value;
      mayBeItem = value.trim() === '' || item !== value || (mayBeItem && bullet.test(head));
      return item;
    },
  });
}

function withSpaces(text: string, keys: ReadonlySet<string>): string {
  return mapLines(text, keys, {
    head: (head) => head,
    value: (value, { head }) => {
      const [, dash = '', key = '', rest = ''] = /^(-?)([A-Za-z][\w-]*):(\S.*)$/s.exec(value) ?? [];
      const isKey = keys.has(bareKey(key)) || (dash === '' && head.trim() === '' && /^["'[{]/.test(rest));
      if (key !== '' && isKey && !rest.startsWith('//')) return `${dash === '' ? '' : '- '}${key}: ${rest}`;
      return value;
    },
  });
}

/** A text in quotes with quotes inside, or with text after its closing quote. */
function withInnerQuotes(value: string, { head }: { readonly head: string }): string {
  const text = value.trimEnd();
  if (head === '' || !/^["']/.test(text)) return value;
  if (/^"(?:[^"\\]|\\.)*"[ \t]*(?:#.*)?$/.test(text) || /^'(?:[^']|'')*'[ \t]*(?:#.*)?$/.test(text))
    return value;
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  // `"a" and "b"` is a text that starts and ends with quotes of its own; `"he says "hi" twice"` is in quotes.
  const isWrapped =
    text.length > 1 &&
    text.endsWith(quote) &&
    !new RegExp(`^[^${quote}\\s][^${quote}]*${quote}[\\s.,;:]`).test(text.slice(1));
  if (!isWrapped) return quotedByRule(text);
  return quote === '"'
    ? literalBackslashes(`"${inner.replaceAll(/\\.|"/g, (part) => (part === '"' ? '\\"' : part))}"`)
    : `'${inner.replaceAll(/''|'/g, "''")}'`;
}

/** A line between two levels gets that of the line before, or the nearest open one. */
function aligned(text: string, keys: ReadonlySet<string>): string {
  const open: { indent: number; fixed: number; isItem: boolean }[] = [];
  let opens = true;
  return mapLines(text, keys, {
    head: (head, { value }) => {
      const indent = indentOf(head);
      const isItem = head.trimStart().startsWith('-');
      const top = open.at(-1);
      let place = open.findLastIndex((level) => level.indent <= indent);
      const level = open[place];
      const deeper = level && indent > level.indent;
      if (top && deeper && place < open.length - 1) {
        // The nearer of two levels, the deeper when both are as near.
        const above = open[place + 1];
        if (above && (isItem || !above.isItem) && above.indent - indent <= indent - level.indent) place++;
      }
      const isChild = deeper === true && place === open.length - 1 && (opens || isItem);
      if (isChild || !level)
        open.push({ indent, fixed: level ? level.fixed + (indent - level.indent) : indent, isItem });
      else open.length = place + 1;
      const fixed = open.at(-1)?.fixed ?? indent;
      opens = value.trim() === '';
      if (isItem) {
        const inner = head.length - head.trimStart().replace(/^(?:-[ \t]+)+/, '').length;
        open.push({ indent: inner, fixed: fixed + inner - indent, isItem: false });
      }
      return `${' '.repeat(fixed)}${head.trimStart()}`;
    },
  });
}

/** Tabs that indent, as two spaces each; others as one. */
function headWithoutTabs(head: string): string {
  return head.replace(/^[\t ]+/, (indent) => indent.replaceAll('\t', '  ')).replaceAll('\t', ' ');
}

function blockWithoutTabs(lines: readonly string[]): readonly string[] {
  const full = lines.filter((line) => line.trim() !== '');
  const indents = full.map((line) => /^\t*/.exec(line)?.[0].length ?? 0);
  const base = smallest(indents, Infinity);
  return base === 0
    ? lines
    : lines.map((line) =>
        line.replace(/^\t*/, (tabs) => ' '.repeat(2 * Math.min(base, tabs.length)) + tabs.slice(base)),
      );
}
