/** A text on one line, cut to so many characters. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, Math.max(0, most - 1))}…`;
}
