import { BeadsmithError } from '../core/errors.ts';
import type { Role } from './rows.ts';
import { rowOf, type Status, statuses } from './workflow.ts';

/** A status's role, if any. */
export function roleOf(status: Status): Role | undefined {
  return rowOf(status).role;
}

/** The status of a role. Throws UNEXPECTED without one. */
export function statusOf(role: Role): Status {
  const status = statuses.find((one) => roleOf(one) === role);
  if (status === undefined)
    throw new BeadsmithError('UNEXPECTED', { reason: `no status stands for ${role}` });
  return status;
}
