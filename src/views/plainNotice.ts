/** The longest text from outside that a notice shows. */
const longest = 280;

/**
 * A text from outside as a notice can show it: on one line, short, and without the brackets that the editor would make a link of. `whole` says whether
 * everything is there.
 */
export function plainNotice(text: string): { readonly text: string; readonly whole: boolean } {
  const line = withoutLinks(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')).trim();
  const isWhole = line.length <= longest && !/[\n\r]/.test(text.trim());
  return { text: line.length <= longest ? line : `${line.slice(0, longest)} …`, whole: isWhole };
}

/** A text without the brackets that the editor would make a link of in a notice: one that runs a command, if its author likes. */
export function withoutLinks(text: string): string {
  return text.replace(/\]\s*\(/g, ']\u200B(');
}
