/** A text as one word of a POSIX shell, whatever it holds. NUL can't be passed to a program at all and is left out. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll('\u0000', '').replaceAll("'", "'\\''")}'`;
}
