import { BeadsmithError } from '../../../domain/core/errors.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';
import { codeOf } from '../../system/files.ts';

/**
 * Errors of SQLite and files as DISK_FULL, DATABASE_IO, DATABASE_READ_ONLY, DATABASE_CORRUPT, or unchanged.
 */
export function toStoreError(
  error: unknown,
  place: { readonly path: string; readonly backup: () => string },
): unknown {
  if (!(error instanceof Error) || error instanceof BeadsmithError) return error;
  const primary = sqliteCode(error);
  const system = codeOf(error);
  if (primary === 5 || primary === 6) return new DatabaseBusy(error.message, { cause: error });
  if (primary === 13 || system === 'ENOSPC' || system === 'EDQUOT')
    return new BeadsmithError('DISK_FULL', {}, { cause: error });
  if (primary === 10 || system === 'EIO')
    return new BeadsmithError('DATABASE_IO', { reason: error.message }, { cause: error });
  if (primary === 3 || primary === 8 || primary === 14 || ['EROFS', 'EACCES', 'EPERM'].includes(system))
    return new BeadsmithError('DATABASE_READ_ONLY', { reason: error.message }, { cause: error });
  if (primary === 11 || primary === 26)
    return new BeadsmithError(
      'DATABASE_CORRUPT',
      { path: place.path, reason: error.message, backup: place.backup() },
      { cause: error },
    );
  return error;
}

function sqliteCode(error: Error): number {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}
