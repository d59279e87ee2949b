/** A file as it was and as it is; null where it doesn't exist or isn't text. */
export interface ChangedText {
  readonly path: string;
  /** The path that it had, if it has another one now. */
  readonly oldPath?: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A line of a text, from 1, without the space around it. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Longer lines were not written by hand. */
const longestLine = 2_000;
const shown = 300;

/** New lines, as often as the old text lacks them. Empty and very long ones are left out. */
export function addedLines(before: string | null, after: string): readonly TextLine[] {
  const left = new Map<string, number>();
  for (const text of (before ?? '').split('\n')) left.set(text.trim(), (left.get(text.trim()) ?? 0) + 1);
  return after.split('\n').flatMap((whole, index) => {
    const text = whole.trim();
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 || text === '' || text.length > longestLine
      ? []
      : [{ line: index + 1, text: text.slice(0, shown) }];
  });
}
