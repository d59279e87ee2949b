/**
 * A private character at the start of what a repair has put in quotes. So a text that was written without quotes is still known as one, and is given
 * back as it was written where the schema wants the text of a whole line.
 */
const mark = '\uE000';

/** A text in quotes that the model didn't write. */
export function quotedByRule(text: string): string {
  return JSON.stringify(`${mark}${text}`);
}

/** A text of the repaired answer as the model wrote it. */
export function asWritten(text: string): string {
  if (!text.includes(mark)) return text;
  const whole = text.replaceAll(/"\uE000((?:[^"\\]|\\.)*)"/g, (_, inner: string) => JSON.parse(`"${inner}"`) as string);
  return whole.replaceAll(mark, '');
}
