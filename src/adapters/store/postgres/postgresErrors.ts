import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { DatabaseBusy } from '../sql/whenFree.ts';

/** An error as it crosses between threads. `code`: PostgreSQL's, or Node's. */
export interface PostgresFailure {
  readonly message: string;
  readonly code: string;
  /** The connection is gone: whatever was under way may have been done. */
  readonly lost: boolean;
}

/** PostgreSQL's code for a prepared statement whose table changed. */
export const changedPlan = '0A000';

/** Our code, in the class of PostgreSQL's codes for logins: a password wasn't sent. */
export const passwordKept = '28BDS';

/** A row is no JSON. Told from other errors as SQLite's are. */
const noJson = ['22P02', '22P05', '22032', '22030'];
const full = ['53100', 'ENOSPC'];
const readOnly = ['25006', '42501'];
const damaged = ['XX001', 'XX002'];
/** Changed tables, locks, deadlocks, limits of time and of connections: the call is tried again. */
const passing = [changedPlan, '55P03', '40001', '40P01', '57014', '53000', '53200', '53300', '53400'];
/** The server ends or starts. */
const away = [
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '25P03',
];
/** Another process made the same schema, table, role or row. */
const twice = ['23505', '42P06', '42P07', '42710', '42723'];
const ofDisk = ['58000', '58030', '58P01'];

const safeAdvice =
  'Have the server use scram-sha-256, or put sslmode=verify-full into the URL, with a certificate that this machine trusts.';
const advice = 'Check that the server is running and that the URL is correct.';

/** Another process made it meanwhile. */
export class MadeMeanwhile extends Error {
  override readonly name = 'MadeMeanwhile';
}

/** A failure as an error of the port, or DatabaseBusy: the codes of `sqlite/database.ts`. */
export function toStoreError({ message, code, lost }: PostgresFailure, path: string): Error {
  const reason = `PostgreSQL: ${message}`;
  const lasting = new BeadsmithError('DATABASE_IO', { reason, advice });
  if (lost || away.includes(code)) return new DatabaseBusy(reason, { lasting });
  if (passing.includes(code)) return new DatabaseBusy(reason);
  if (full.includes(code)) return new BeadsmithError('DISK_FULL');
  if (readOnly.includes(code)) return new BeadsmithError('DATABASE_READ_ONLY', { reason });
  // The rest of 22: a value in a row isn't what is read there.
  if (noJson.includes(code)) return new SyntaxError(message);
  if (damaged.includes(code) || code.startsWith('22'))
    return new BeadsmithError('DATABASE_CORRUPT', { path, reason, backup: '(none)' });
  if (code === passwordKept) return new BeadsmithError('TEAM_LOGIN', { reason: message, advice: safeAdvice });
  if (code.startsWith('28')) return new BeadsmithError('TEAM_LOGIN', { reason: message });
  if (ofDisk.includes(code) || code.startsWith('3D')) return lasting;
  return twice.includes(code) ? new MadeMeanwhile(reason) : new Error(reason);
}

/** An error with a severity is the server's word; another one is of the connection. */
export function storeErrorOf(error: unknown): Error {
  if (error instanceof BeadsmithError || error instanceof z.ZodError) return error;
  const of = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  const lost = of('severity') === '' || of('severity') === 'FATAL';
  const isRefused = /^(?:28|3D)/.test(of('code'));
  return toStoreError(
    { message: of('message') || String(error), code: of('code'), lost: lost && !isRefused },
    'postgres',
  );
}

/** The error of a call that isn't tried again. `ms`: it waited so long. */
export function lastingError(error: Error, ms: number): Error {
  if (!(error instanceof DatabaseBusy)) return error;
  return error.lasting ?? new BeadsmithError('DATABASE_BUSY', { seconds: ms / 1_000 });
}
