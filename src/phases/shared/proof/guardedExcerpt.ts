import { redact } from '../../../base/redact.ts';
import { visible } from '../../../base/visible.ts';
import { newLines } from '../../../domain/guarded/catalogue/entries.ts';

/** A changed file whose secrets are blotted out. */
export interface ShownText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const mostLines = 16;
const mostInAll = 120;
const longestLine = 160;

/**
 * The lines that changed files lose and get, for a question: a few of each file, each on one line of its own
 * behind a sign, so that no text of a file can pass for the question. Characters that hide or turn text are
 * marked. What isn't shown is counted.
 */
export function guardedExcerpt(texts: readonly ShownText[]): string {
  let left = mostInAll;
  const parts = texts.map(({ path, before, after }) => {
    if (before === null && after === null)
      return [`  ${oneLine(path)} isn't a text, or is too large to be shown.`];
    const removed = newLines(after, before ?? '').map(({ text }) => `    - ${oneLine(text)}`);
    const added = newLines(before, after ?? '').map(({ text }) => `    + ${oneLine(text)}`);
    const lines = [
      ...removed.slice(0, mostLines / 2),
      ...added.slice(0, mostLines - Math.min(removed.length, mostLines / 2)),
    ].slice(0, left);
    left -= lines.length;
    const more = removed.length + added.length - lines.length;
    return [
      `  ${oneLine(path)}:`,
      ...lines,
      ...(more === 0 ? [] : [`    … and ${String(more)} more changed lines`]),
    ];
  });
  return parts.flat().join('\n');
}

function oneLine(text: string): string {
  const shown = visible(redact(text.slice(0, 2 * longestLine)).replace(/[\r\n]+/g, ' '));
  return text.length <= longestLine && shown.length <= 2 * longestLine
    ? shown
    : `${shown.slice(0, longestLine)} … (${String(text.length)} characters)`;
}
