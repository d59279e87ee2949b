import { BeadsmithError } from '../core/errors.ts';
import type { Role } from './rows.ts';
import { rowOf, type Status, statuses } from './workflow.ts';

/** Returns the role of a status; undefined for most. */
export function roleOf(status: Status): Role | undefined {
  return rowOf(status).role;
}

/** The one status that stands for this. Throws UNEXPECTED when the table has none. */
export function statusOf(role: Role): Status {
  const status = statuses.find((one) => roleOf(one) === role);
  if (status === undefined)
    throw new BeadsmithError('UNEXPECTED', { reason: `no status stands for ${role}` });
  return status;
}
