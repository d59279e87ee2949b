import { newLines } from '../guarded/catalogue/entries.ts';

/** A file before and after; null: missing, or no text. */
export interface ChangedText {
  readonly path: string;
  readonly oldPath?: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A trimmed line, from 1. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Nobody writes longer ones by hand. */
const longestLine = 2_000;
const shown = 300;

/** New lines, as often as they are new, without empty and very long ones. */
export function addedLines(before: string | null, after: string): readonly TextLine[] {
  return newLines(before, after)
    .filter(({ text }) => text.length <= longestLine)
    .map(({ line, text }) => ({ line, text: text.slice(0, shown) }));
}
