import { BeadsmithError } from '../../domain/core/errors.ts';

/**
 * The most bytes of the path of a Unix socket, which is cut off or refused beyond: 107 on Linux, 103 on
 * macOS.
 */
export const socketPathBytes = process.platform === 'darwin' ? 103 : 107;
/** The most bytes of the path of a database and of the journal that SQLite writes beside it. */
export const databasePathBytes = 512 - '-journal'.length;

/** The error for a path that has more bytes than fit; undefined if it fits. */
export function pathTooLong(path: string, most: number): BeadsmithError | undefined {
  const bytes = Buffer.byteLength(path);
  return bytes > most ? new BeadsmithError('PATH_TOO_LONG', { path, bytes, most }) : undefined;
}
