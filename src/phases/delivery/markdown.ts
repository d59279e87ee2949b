/** A number with what is counted. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

const mostLines = 100;

/** The first lines of a list; the rest is counted. */
export function limited(lines: readonly string[]): readonly string[] {
  const more = lines.length - mostLines;
  return more <= 0 ? lines : [...lines.slice(0, mostLines), `- … and ${String(more)} more`];
}

/** Forges refuse a text of more than 65,536 characters. */
const mostChars = 60_000;

/** A text that a forge takes, cut at the end of a line. */
export function shortened(text: string): string {
  if (text.length <= mostChars) return text;
  return `${text.slice(0, text.lastIndexOf('\n', mostChars)).trimEnd()}\n\n… The text was too long and is cut here.`;
}
