import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';

/** A public key, 32 bytes in base64. */
const PublicKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

/** The signer of a proof, by key and fingerprint (docs/decisions/168-evidence-is-signed.md). */
export const EvidenceSignature = z.object({
  key_id: z.string(),
  public_key: PublicKey,
  signature: z.string(),
});
export type EvidenceSignature = z.infer<typeof EvidenceSignature>;

/** Says of a signature that it is about evidence, and about nothing else that a key may sign. */
const purpose = 'beadsmith evidence 1';

/** The signed text of a proof: all of it but the signature. */
export function signedText({ signature: _signature, ...proof }: Readonly<Record<string, unknown>>): string {
  return `${purpose}\n${canonicalJson(proof)}`;
}

/** The fingerprint by which people compare keys. */
export function keyIdOf(publicKey: string): string {
  return `SHA256:${sha256(publicKey).slice(0, 32)}`;
}

/** The file of a repository with the keys that it trusts. It counts as its base branch has it. */
export const keysFile = '.beadsmith/keys';

/** A line of such a file. */
export function keyLine(publicKey: string, name: string): string {
  return `ed25519 ${publicKey} ${name.replace(/\s+/g, ' ').trim()}`.trim();
}

/** The keys of such a file with the names of those who have them. Other lines are comments. */
export function readKeys(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, name = ''] = /^ed25519 +(\S+) *(.*)$/.exec(line.trim()) ?? [];
    if (PublicKey.safeParse(key).success && key !== undefined) keys.set(key, name.slice(0, 200));
  }
  return keys;
}
