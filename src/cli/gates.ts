import type { Status } from '../domain/workflow/workflow.ts';
import { UsageError } from './usageError.ts';

/** The gates as `--approve` names them, in the order a ticket meets them. */
export const gateStatuses = {
  'interview-answers': 'WAITING_INTERVIEW_ANSWERS',
  interview: 'WAITING_INTERVIEW_APPROVAL',
  prd: 'WAITING_PRD_APPROVAL',
  beads: 'WAITING_BEADS_APPROVAL',
  setup: 'WAITING_EXECUTION_SETUP_APPROVAL',
  qa: 'WAITING_MANUAL_QA',
  review: 'WAITING_PR_REVIEW',
} as const satisfies Record<string, Status>;

export type Gate = keyof typeof gateStatuses;
export const gateNames = Object.keys(gateStatuses) as readonly Gate[];

/** The gate a status is; undefined for other statuses. */
export function gateOf(status: Status): Gate | undefined {
  return gateNames.find((gate) => gateStatuses[gate] === status);
}

/** Reads `all`, `none` or names with commas between them. Throws UsageError. */
export function parseGates(text: string): ReadonlySet<Gate> {
  if (text === 'all') return new Set(gateNames);
  if (text === 'none' || text === '') return new Set();
  return new Set(
    text.split(',').map((word) => {
      const gate = gateNames.find((name) => name === word.trim());
      if (!gate) throw new UsageError(`--approve knows no gate "${word.trim()}". Gates: ${gateNames.join(', ')}, or all, or none.`);
      return gate;
    }),
  );
}
