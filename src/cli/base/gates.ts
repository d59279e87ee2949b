import { rowOf, type Status } from '../../domain/workflow/workflow.ts';

/** Gates by their names in `--approve`, in the order a ticket meets them. */
const gateStatuses = {
  'interview-answers': 'WAITING_INTERVIEW_ANSWERS',
  plan: 'WAITING_PLAN_APPROVAL',
  interview: 'WAITING_INTERVIEW_APPROVAL',
  prd: 'WAITING_PRD_APPROVAL',
  beads: 'WAITING_BEADS_APPROVAL',
  setup: 'WAITING_EXECUTION_SETUP_APPROVAL',
  qa: 'WAITING_MANUAL_QA',
  review: 'WAITING_PR_REVIEW',
} as const satisfies Record<string, Status>;

export type Gate = keyof typeof gateStatuses;
export const gateNames = Object.keys(gateStatuses) as readonly Gate[];

/** Quick tickets have questions of their own. */
export function gateOf(status: Status): Gate | undefined {
  return rowOf(status).actions.answer
    ? 'interview-answers'
    : gateNames.find((gate) => gateStatuses[gate] === status);
}
