/** Letters and digits that nobody confuses (Crockford's): five bits each. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 16;

/** Milliseconds in which a code can be used. */
export const pairingMs = 600_000;

/** A one-time code of 80 bits, as people type it. */
export function pairingCode(random: Uint8Array): string {
  const text = Array.from(random.subarray(0, length), (byte) => letters.charAt(byte % letters.length)).join(
    '',
  );
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

/** A typed code as it was printed, without its dashes; undefined if it can't be one. */
export function readPairingCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return text.length === length && text.split('').every((letter) => letters.includes(letter))
    ? text
    : undefined;
}
