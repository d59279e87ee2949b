/** The part of a prompt that has the nonce a report must repeat. */
export const noncePart = 'report_nonce';
const placeholder = '{{nonce}}';

/**
 * A report with the nonce that its prompt asks for, in each block that has none: what a model does that reads
 * its prompt. Scripts are written beforehand and can't know it; one that ends without a block writes
 * `{{nonce}}` where it is to stand. Any other text stays as it is.
 */
export function withNonce(text: string, nonce: string | undefined): string {
  if (nonce === undefined || nonce === '') return text;
  if (text.includes(placeholder)) return text.replaceAll(placeholder, nonce);
  if (/\bnonce\W{0,6}:/i.test(text)) return text;
  return text
    .replaceAll(/^([ \t]*)((?:\*\*)?bead_id(?:\*\*)?:)/gm, `$1nonce: ${nonce}\n$1$2`)
    .replaceAll(/([{,]\s*)("bead_id"\s*:)/g, `$1"nonce": "${nonce}", $2`);
}
