/** A text as it may be written to a terminal: nothing a terminal would obey, and no text that turns around what is read. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '?');
}

/** The same on one line of `width` characters at most. */
export function oneLine(text: string, width = 200): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
