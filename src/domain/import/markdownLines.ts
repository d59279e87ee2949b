/** A line of Markdown. `number`: from 1. `isCode`: in a fence. */
export interface MarkdownLine {
  readonly number: number;
  readonly text: string;
  readonly isCode: boolean;
}

/** A line with a checkbox. */
export interface CheckItem {
  readonly indent: number;
  readonly done: boolean;
  readonly text: string;
}

const longestLine = 5_000;

/** The lines of a text; those in code fences and HTML comments, and very long ones, are no structure. */
export function markdownLines(text: string): readonly MarkdownLine[] {
  let fence = '';
  let isComment = false;
  return text
    .replace(/^\uFEFF/u, '')
    .split(/\r\n?|\n/u)
    .map((line, index) => {
      const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1] ?? '';
      const wasOpen = fence !== '' || isComment;
      if (isComment) isComment = !line.includes('-->');
      else if (fence !== '') fence = mark.startsWith(fence) ? '' : fence;
      else if (mark !== '') fence = mark;
      else if (/^\s*<!--/u.test(line)) isComment = !line.includes('-->');
      return {
        number: index + 1,
        text: line,
        isCode: wasOpen || mark !== '' || isComment || line.length > longestLine,
      };
    });
}

/** `- [ ] Text` or `1. [ ] Text`; also `[x]`, and the marks `[-]` and `[~]` of work under way. */
export function checkItem(line: string): CheckItem | undefined {
  const [, indent = '', mark = '', text = ''] =
    /^(\s*)(?:[-*+]|\d{1,9}[.)]) {1,4}\[([ xX~-])\](.*)$/u.exec(line) ?? [];
  if (mark === '') return undefined;
  return { indent: indentOf(indent), done: /x/iu.test(mark), text: text.trim() };
}

/** The width of the space before a line. */
export function indentOf(line: string): number {
  return (/^\s*/u.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

/** The level and text of a heading. */
export function headingOf(line: string): { readonly level: number; readonly text: string } | undefined {
  const [, marks, text = ''] = /^(#{1,6})\s+(.*)$/u.exec(line) ?? [];
  return marks === undefined
    ? undefined
    : { level: marks.length, text: text.trim().replace(/\s#+$/u, '').trim() };
}

/** `1. Text` or `1) Text`, or an item of a list. */
export function listItem(line: string): { readonly number: string; readonly text: string } | undefined {
  const [, number = '', text] = /^\s*(?:(\d{1,4})[.)]|[-*+])\s+(\S.*)$/u.exec(line) ?? [];
  return text === undefined ? undefined : { number, text: text.trimEnd() };
}

/** Lines as a text, without empty lines around them and without more than one between them. */
export function joinedLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : line))
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .replace(/^\n+/u, '')
    .trimEnd();
}

/** Ids such as `T012` or `1.2` in `text`, each once. */
export function idsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([id]) => id))];
}

/** `photo-album` of a folder's path, as `Photo album`. */
export function titleOfName(path: string): string {
  const name = (path.split('/').at(-1) ?? '')
    .replace(/^\d+-|^\.+$/u, '')
    .replaceAll(/[-_]+/gu, ' ')
    .trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
