/**
 * Escapes that stand for something in a document. The others that YAML and JSON know are control characters,
 * which no document has.
 */
const meaning = /^\\(?:["\\/nrt]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|N)/;
/** A Windows path: `C:\new`. */
const drive = /(?:^|["'(=\s])[A-Za-z]:\\[A-Za-z0-9._-]/;

/**
 * Doubles the backslashes of texts in double quotes that stand for themselves: those of a word with an escape
 * that means nothing (`\d+\.\w`), or of a path (`C:\new`). YAML and JSON would read others of them as line
 * ends and tabs.
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
