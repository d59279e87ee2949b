/**
 * One repair of an answer: the rule's name, and the place that it changed, before and after. Both are cut to
 * 300 characters.
 */
export interface Repair {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

/** Repairs as they are kept with the call and shown: a line each, with before and after. */
export function repairsText(repairs: readonly Repair[]): string {
  return repairs
    .map(({ rule, before, after }) => `${rule}: ${before} → ${after === '' ? '(left out)' : after}`)
    .join('\n');
}

/**
 * A private character at the start of what a repair has put in quotes. So a text that was written without
 * quotes is still known as one, and is given back as it was written where the schema wants the text of a
 * whole line.
 */
const mark = '\uE000';

/** A text in quotes that the model didn't write. */
export function quotedByRule(text: string): string {
  return JSON.stringify(`${mark}${text}`);
}

/** Returns true if a repair has put this text in quotes, all of it. */
export function isQuotedByRule(text: string): boolean {
  return text.startsWith(`"${mark}`);
}

/** A text of the repaired answer as the model wrote it. */
export function asWritten(text: string): string {
  if (!text.includes(mark)) return text;
  const whole = text.replaceAll(
    /"\uE000((?:[^"\\]|\\.)*)"/g,
    (_, inner: string) => JSON.parse(`"${inner}"`) as string,
  );
  return whole.replaceAll(mark, '');
}
