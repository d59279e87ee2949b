import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { oneLine } from '../../base/oneLine.ts';

/** 32 bytes in base64. */
const PublicKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

/** A proof's signer (docs/decisions/168-evidence-is-signed.md). */
export const EvidenceSignature = z.object({
  key_id: z.string(),
  public_key: PublicKey,
  signature: z.string(),
});
export type EvidenceSignature = z.infer<typeof EvidenceSignature>;

/** Keeps a signature from counting for anything else that the key signs. */
const purpose = 'beadsmith evidence 1';

/** The signed text: all but the signature. */
export function signedText({ signature: _signature, ...proof }: Readonly<Record<string, unknown>>): string {
  return `${purpose}\n${canonicalJson(proof)}`;
}

/** A key's fingerprint for people. */
export function keyIdOf(publicKey: string): string {
  return `SHA256:${sha256(publicKey).slice(0, 32)}`;
}

/** The file with trusted keys; its base branch version counts. */
export const keysFile = '.beadsmith/keys';

/** A line of the keys file. */
export function keyLine(publicKey: string, name: string): string {
  return `ed25519 ${publicKey} ${oneLine(name)}`.trim();
}

/** Keys with their owners' names. Other lines are comments. */
export function readKeys(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, name = ''] = /^ed25519 +(\S+) *(.*)$/.exec(line.trim()) ?? [];
    if (PublicKey.safeParse(key).success && key !== undefined) keys.set(key, name.slice(0, 200));
  }
  return keys;
}
