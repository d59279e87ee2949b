export interface Repair {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

export function repairsText(repairs: readonly Repair[]): string {
  return repairs
    .map(({ rule, before, after }) => `${rule}: ${before} → ${after === '' ? '(left out)' : after}`)
    .join('\n');
}

/** Private character at the start of what a repair put in quotes, so that it is still known as unquoted. */
const mark = '\uE000';

export function quotedByRule(text: string): string {
  return JSON.stringify(`${mark}${text}`);
}

export function isQuotedByRule(text: string): boolean {
  return text.startsWith(`"${mark}`);
}

export function asWritten(text: string): string {
  if (!text.includes(mark)) return text;
  const whole = text.replaceAll(
    /"\uE000((?:[^"\\]|\\.)*)"/g,
    (_, inner: string) => JSON.parse(`"${inner}"`) as string,
  );
  return whole.replaceAll(mark, '');
}

/** The other escapes of YAML and JSON are control characters. */
const meaning = /^\\(?:["\\/nrt]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|N)/;
/** A Windows path: `C:\new`. */
const drive = /(?:^|["'(=\s])[A-Za-z]:\\[A-Za-z0-9._-]/;

/**
 * Words with an escape that means nothing (`\d+\.\w`), and paths (`C:\new`): YAML and JSON would read some
 * backslashes as line ends and tabs.
 */
export function literalBackslashes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /"(?:[^"\\]|\\[\s\S])*"/g,
    (quoted) => `"${quoted.slice(1, -1).replaceAll(/[^\s]+/g, literal)}"`,
  );
}

function literal(word: string): string {
  const escapes = word.match(/\\[\s\S]?/g) ?? [];
  const isLiteral = escapes.length > 0 && (drive.test(word) || hasStray(word));
  return isLiteral
    ? word.replaceAll(/\\(?:["\\]|(?=.|$))/g, (part) => (part === '\\' ? '\\\\' : part))
    : word;
}

function hasStray(word: string): boolean {
  for (let at = word.indexOf('\\'); at >= 0; at = word.indexOf('\\', at)) {
    const escape = meaning.exec(word.slice(at));
    if (!escape) return true;
    at += escape[0].length;
  }
  return false;
}
