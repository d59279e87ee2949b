import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** 64 lowercase hex digits; texts as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return bytesToHex(digest(typeof content === 'string' ? utf8ToBytes(content) : content));
}
