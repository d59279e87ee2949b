import { visible } from './visible.ts';

/**
 * Untrusted text for a forge, without effect: no HTML, picture, link, notification or issue reference
 * (docs/decisions/043-pull-request-text.md).
 */
export const forgeText = { prose, cell, code, codeCell, plain };

/** References become code, where forges find none. */
function prose(text: string): string {
  return formatted(text, code);
}

function cell(text: string): string {
  return formatted(text, codeCell);
}

function formatted(text: string, asCode: (text: string) => string): string {
  const parts = visibleLine(text)
    .split(codeSpan)
    .flatMap((part, at) =>
      at % spanParts === 0 ? escaped(part, asCode) : at % spanParts === spanParts - 1 ? [asCode(part)] : [],
    );
  return joined(parts).replace(/^(?:[-+=]|\d{1,9}(?=[.)]))/, (start) =>
    /\d/.test(start) ? `${start}\\` : `\\${start}`,
  );
}

/** Adjacent runs of ticks would be one, which closes neither. */
function joined(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, at, all) => (part.startsWith('`') && all[at - 1]?.endsWith('`') === true ? ` ${part}` : part))
    .join('');
}

/** Code in ticks that nothing in it closes. */
function code(text: string): string {
  const line = visibleLine(text);
  if (line === '') return '';
  const runs = new Set([...line.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${'`'.repeat(length)}${pad}${line}${pad}${'`'.repeat(length)}`;
}

/** In a table a bar can't be escaped: then HTML, with signs as numbers. */
function codeCell(text: string): string {
  if (!/\\\|/.test(text)) return code(text).replaceAll('|', '\\|');
  return `<code>${visibleLine(text).replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${String(sign.codePointAt(0))};`)}</code>`;
}

/** Unformatted; spaces break references. */
function plain(text: string): string {
  return visibleLine(text).replace(reference, (whole) =>
    whole.replace(/[@#!]|GH-|:(?=\/\/)|^www(?=\.)/i, '$& '),
  );
}

function visibleLine(text: string): string {
  return visible(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim());
}

/** Ticks up to the next run of the same length. */
const codeSpan = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/;
const spanParts = 3;

/** Names, issues, requests and addresses. */
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

/** A `_` between words isn't Markdown; a slash at the start is a command of GitLab. */
function withoutMarkup(text: string): string {
  return text
    .replace(/[\\`*[\]<>&~$|]|^#|^\/|@(?=\w)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}
