import { bareKey } from './spellings.ts';
import { quotedByRule } from './repair.ts';
import { literalBackslashes } from './escapes.ts';
import { aligned, blockWithoutTabs, headWithoutTabs } from './yamlIndent.ts';
import { mapLines } from './yamlLines.ts';

/** One slip that models make, and how it is repaired without changing a text. */
export interface YamlRule {
  readonly name: string;
  /**
   * Applied to every document, because YAML reads the slip as something else. The others are tried only when
   * YAML can't read it.
   */
  readonly always?: true;
  readonly repair: (text: string, keys: ReadonlySet<string>) => string;
}

/** The catalogue, in the order in which the rules are tried (docs/decisions/091-repairs.md). */
export const yamlRules: readonly YamlRule[] = [
  {
    name: 'non-breaking-space',
    always: true,
    repair: (text, keys) =>
      mapLines(text, keys, {
        head: (head) => head.replaceAll('\u00A0', ' '),
        block: (lines) =>
          lines.map((line) => line.replace(/^[ \u00A0]+/, (indent) => ' '.repeat(indent.length))),
      }),
  },
  { name: 'bullet', always: true, repair: withDashes },
  {
    name: 'smart-quotes',
    always: true,
    repair: (text, keys) =>
      mapLines(text, keys, {
        value: (value) =>
          value.replace(/^[“„](?![^“]*”.)(.*)”([ \t]*,?)$/, (_, inner: string) => quotedByRule(inner)),
      }),
  },
  {
    name: 'escapes',
    always: true,
    repair: (text, keys) => mapLines(text, keys, { value: withLiteralBackslashes }),
  },
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
  {
    name: 'tab',
    repair: (text, keys) => mapLines(text, keys, { head: headWithoutTabs, block: blockWithoutTabs }),
  },
  { name: 'missing-space', repair: withSpaces },
  {
    name: 'trailing-comma',
    repair: (text, keys) =>
      mapLines(text, keys, {
        value: (value) => value.replace(/^("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\}|\]|\}),[ \t]*$/, '$1'),
      }),
  },
  { name: 'inner-quotes', repair: (text, keys) => mapLines(text, keys, { value: withInnerQuotes }) },
  {
    name: 'colon-in-text',
    repair: (text, keys) =>
      mapLines(text, keys, {
        value: (value, { head }) =>
          isPlain(value) && /:(?:[ \t]|$)/.test(value) && head !== '' ? quotedByRule(value.trimEnd()) : value,
      }),
  },
  { name: 'indentation', repair: (text, keys) => aligned(text, keys) },
];

function isPlain(value: string): boolean {
  return value !== '' && !/^(?:["'[{#&*!]|[|>][-+0-9]*[ \t]*(?:#.*)?$)/.test(value);
}

/**
 * Returns true if a text starts with what YAML keeps for itself. An anchor that an alias names, and a flow
 * that closes, are what they seem.
 */
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

/** The words of a document, among them its anchors and aliases. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s,[\]{}]+/));
}

/**
 * Returns true if a text starts with something in brackets: `[x] do it`. A bracket that never closes is no
 * text, but a list that was cut off.
 */
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

/** Returns true if brackets that open on a line close at its end. */
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

/**
 * Items that start with another mark than a dash and a space: `* x`, `• x`, `1. x`, `-x`. Only where a list
 * may start, and after such an item.
 */
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

/** `title:"x"`, where the key exists. */
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
