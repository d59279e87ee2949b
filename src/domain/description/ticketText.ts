/** Characters of a description. */
export const longestDescription = 1_000_000;

const longestTitle = 200;

/** CSI and OSC sequences, and the two-character ones. */
const terminalSequences =
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[ -/]*[0-~]/gu;
/** All but tabs and line ends. */
const controlCharacters = /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu;

/** A text without terminal codes, and the number of removed signs. A zero byte stays. */
export function cleanedText(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0;
  const drop = (): string => {
    removed += 1;
    return '';
  };
  return { text: text.replace(terminalSequences, drop).replace(controlCharacters, drop), removed };
}

/** The note about signs that `cleanedText` removed. */
export function removedNote(removed: number): string {
  return removed === 1
    ? '1 color code or control character was removed from the description.'
    : `${String(removed)} color codes and control characters were removed from the description.`;
}

/**
 * A description's title: of its front matter, else its first line with words; empty without any. HTML
 * comments and template headings such as "Description" are skipped. `prefer`: headings go first.
 */
export function titleFrom(description: string, { prefer }: { readonly prefer?: 'heading' } = {}): string {
  const { matter, body } = withoutFrontMatter(description);
  if (matter !== '') return matter.slice(0, longestTitle);
  const lines = withoutComments(body)
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const heading = prefer && lines.find((line) => /^#+\s+\S/u.test(line) && !isOfTemplate(line));
  return plain(heading ?? lines.find((line) => !isOfTemplate(line)) ?? lines[0] ?? '').slice(0, longestTitle);
}

/** Between lines of dashes at the very beginning, with a field first. */
function withoutFrontMatter(text: string): { readonly matter: string; readonly body: string } {
  const found =
    /^\uFEFF?---[ \t]*\r?\n(\s*(?:#.*\r?\n\s*)*[\w-]+:[^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u.exec(text);
  if (!found) return { matter: '', body: text };
  const value = /^title:[ \t]+(.*)$/mu.exec(found[1] ?? '')?.[1]?.trim() ?? '';
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/u.exec(value);
  const named = quoted
    ? (quoted[1]?.replace(/\\(.)/gu, '$1') ?? quoted[2]?.replaceAll("''", "'") ?? '')
    : value.replace(/\s#.*$/u, '');
  // A title of several lines isn't read.
  return { matter: /^[>|]/u.test(value) ? '' : plain(named), body: text.slice(found[0].length) };
}

/** An unclosed comment hides nothing: it may be the only text. */
function withoutComments(text: string): string {
  return text.replace(/<!--[^]*?-->/gu, '');
}

const templateHeadings = new RegExp(
  `^#+\\s+(?:${[
    'descriptions?|summary|overview|details?|context|background|introduction|problem(?: statement)?|motivation|goals?|purpose|abstract',
    'what happened\\??|expected(?: behaviou?r)?|actual(?: behaviou?r)?|current behaviou?r|steps to reproduce|to reproduce|reproduction',
    'describe the (?:bug|issue|problem|feature)|bug report|feature request|issue|task|user story|story|requirements?|acceptance criteria',
  ].join('|')})[\\s:.*_]*$`,
  'iu',
);

function isOfTemplate(line: string): boolean {
  return templateHeadings.test(line);
}

function plain(line: string): string {
  return line
    .replace(/^(?:#+|[-*+]|\d+[.)]|>)\s+/u, '')
    .replace(/^\[[ xX]\]\s+/u, '')
    .replace(/\s+#+$/u, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim();
}
