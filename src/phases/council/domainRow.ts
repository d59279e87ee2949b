import type { ContextKey } from '../../domain/contextKeys.ts';
import { BeadsmithError } from '../../domain/errors.ts';
import { rowOf, type Status } from '../../domain/workflow.ts';
import type { Domain } from '../../domain/workflowTypes.ts';

/** What differs between the three councils. */
interface DomainRow {
  /** In sentences: "a valid …". */
  readonly what: string;
  readonly vote: { readonly contextKey: ContextKey; readonly prompt: string };
}

export const domainRows: Readonly<Record<Domain, DomainRow>> = {
  interview: { what: 'interview draft', vote: { contextKey: 'interview_vote', prompt: 'interview-vote' } },
  prd: { what: 'PRD draft', vote: { contextKey: 'prd_vote', prompt: 'prd-vote' } },
  beads: { what: 'bead plan', vote: { contextKey: 'beads_vote', prompt: 'beads-vote' } },
};

/** The artifact a status's council works on. Throws UNEXPECTED for a status without one. */
export function domainOf(status: Status): Domain {
  const { domain } = rowOf(status);
  if (!domain) throw new BeadsmithError('UNEXPECTED', { reason: `${status} has no council` });
  return domain;
}
