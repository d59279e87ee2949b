import { visible } from './visible.ts';

/**
 * Text of models, tickets, paths and commits as a forge may have it
 * (docs/decisions/043-pull-request-text.md). It is read as it was written, and does nothing: no HTML, no
 * picture, no link, no name is notified, and no issue is closed or mentioned.
 */
export const forgeText = { prose, cell, code, codeCell, plain };

/** A text on one line of Markdown. What would be a reference becomes code, where forges find none. */
function prose(text: string): string {
  return formatted(text, code);
}

function cell(text: string): string {
  return formatted(text, codeCell);
}

function formatted(text: string, asCode: (text: string) => string): string {
  const parts = oneLine(text)
    .split(codeSpan)
    .flatMap((part, at) =>
      at % spanParts === 0 ? escaped(part, asCode) : at % spanParts === spanParts - 1 ? [asCode(part)] : [],
    );
  return joined(parts).replace(/^(?:[-+=]|\d{1,9}(?=[.)]))/, (start) =>
    /\d/.test(start) ? `${start}\\` : `\\${start}`,
  );
}

/** Ticks of two codes side by side would be one run, which closes neither. */
function joined(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, at, all) => (part.startsWith('`') && all[at - 1]?.endsWith('`') === true ? ` ${part}` : part))
    .join('');
}

/** A text as code on one line: a fence that nothing in it closes. */
function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  const runs = new Set([...line.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${'`'.repeat(length)}${pad}${line}${pad}${'`'.repeat(length)}`;
}

/** A text as code in a table's cell, where a bar can't be escaped: then it is HTML, each sign a number. */
function codeCell(text: string): string {
  if (!/\\\|/.test(text)) return code(text).replaceAll('|', '\\|');
  return `<code>${oneLine(text).replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${String(sign.codePointAt(0))};`)}</code>`;
}

/** A text on one unformatted line, such as a title or a subject. A space keeps references from being one. */
function plain(text: string): string {
  return oneLine(text).replace(reference, (whole) => whole.replace(/[@#!]|GH-|:(?=\/\/)|^www(?=\.)/i, '$& '));
}

function oneLine(text: string): string {
  return visible(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim());
}

/** Code that is closed, as Markdown finds it: a run of ticks up to the next run of the same length. */
const codeSpan = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/;
/** `split` gives what is between, the ticks, and the code. */
const spanParts = 3;

/** Names, issues and requests, with or without their repository, and addresses. */
const reference =
  /(?<![\w/])@\w[\w./-]*|(?:[\w.-]{1,100}(?:\/[\w.-]{1,100}){0,5})?[#!]\d+\b|\bGH-\d+\b|\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s`]+|\b(?:www\.|mailto:)[^\s`]+/gi;

function escaped(text: string, asCode: (text: string) => string): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { index, 0: whole } of text.matchAll(reference)) {
    parts.push(withoutMarkup(text.slice(end, index)), asCode(whole));
    end = index + whole.length;
  }
  return [...parts, withoutMarkup(text.slice(end))];
}

/** A line between words, as in `a_b`, is no Markdown. A slash at the start would be a command of GitLab. */
function withoutMarkup(text: string): string {
  return text
    .replace(/[\\`*[\]<>&~$|]|^#|^\/|@(?=\w)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}
