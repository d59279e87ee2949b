import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { syncFolderSync, writeAtomicallySync } from '../../system/files.ts';

/**
 * Texts above this many bytes of UTF-8 are files, never rows
 * (docs/decisions/005-store-location-and-durability.md).
 */
export const largestInline = 64 * 1024;

/**
 * Large texts as files `<aa>/<sha256>`, written once and never changed. A column holds either the text itself
 * or the 32 bytes of the hash that names its file; SQLite tells them apart by type, so no text can pretend to
 * be a reference.
 */
export class Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the value to store for a text. A large text is on disk when this returns, so call it before the
   * transaction that refers to it.
   */
  pack(text: string): string | Uint8Array {
    if (text.length * 3 <= largestInline || Buffer.byteLength(text) <= largestInline) return text;
    const digest = hash('sha256', text);
    const file = this.#file(digest);
    if (!isThere(file)) writeDurably(file, text);
    return Buffer.from(digest, 'hex');
  }

  /** The text that a column stands for. DATABASE_CORRUPT if its file is gone or was changed. */
  unpack(stored: string | Uint8Array): string {
    if (typeof stored === 'string') return stored;
    const digest = Buffer.from(stored).toString('hex');
    const file = this.#file(digest);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      throw damaged(file, error instanceof Error ? error.message : String(error));
    }
    if (hash('sha256', text) !== digest) throw damaged(file, 'its content changed');
    return text;
  }

  #file(digest: string): string {
    return join(this.#folder, digest.slice(0, 2), digest);
  }
}

/**
 * One that is wanted again is marked as new, so that a cleanup doesn't take it for one that nothing names.
 */
function isThere(file: string): boolean {
  try {
    const now = new Date();
    utimesSync(file, now, now);
    return true;
  } catch {
    return existsSync(file);
  }
}

function damaged(path: string, reason: string): BeadsmithError {
  return new BeadsmithError('DATABASE_CORRUPT', { path, reason, backup: '(none)' });
}

/** Either the whole file is there after a power loss, or none of it. */
function writeDurably(file: string, text: string): void {
  const folder = dirname(file);
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  writeAtomicallySync(file, text, 0o600);
  if (isNew) syncFolderSync(dirname(folder));
}
