import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { teamKeyId } from '../../domain/team/keys.ts';

/**
 * The id of a public key that a team takes: Ed25519, or ECDSA on P-256, as SPKI in base64. Undefined for
 * anything else, also for another way to write a key, which would have another id.
 */
export function keyIdOfSpki(publicKey: string): string | undefined {
  const key = read(publicKey);
  if (!key) return undefined;
  const spki = key.export({ format: 'der', type: 'spki' });
  return spki.toString('base64') === publicKey ? teamKeyId(spki) : undefined;
}

/** `signature` in base64url; of ECDSA as WebCrypto makes it. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = read(publicKey);
  if (!key) return false;
  const bytes = Buffer.from(signature, 'base64url');
  try {
    return key.asymmetricKeyType === 'ed25519'
      ? verify(null, Buffer.from(text), key, bytes)
      : verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  } catch {
    return false;
  }
}

function read(publicKey: string): KeyObject | undefined {
  if (publicKey.length > 200) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    return type === 'ed25519' || (type === 'ec' && details?.namedCurve === 'prime256v1') ? key : undefined;
  } catch {
    return undefined;
  }
}
