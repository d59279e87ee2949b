import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The SHA-256 of a text (as UTF-8) or of bytes, as 64 lowercase hex digits. */
export function sha256(content: string | Uint8Array): string {
  return bytesToHex(digest(typeof content === 'string' ? utf8ToBytes(content) : content));
}
