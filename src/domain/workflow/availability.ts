import { BeadsmithError, type ErrorCode } from '../core/errors.ts';
import { type ActionName, actionNames, definitionOf } from './actions.ts';
import type { Condition } from './formFields.ts';
import { rowOf, type Status } from './workflow.ts';

/** All that the availability of actions depends on. */
export interface ActionFacts {
  readonly status: Status;
  /** The status that a block came from, or the one before. */
  readonly previousStatus: Status | null;
  /** The kind of the ticket's hold. */
  readonly hold: string | null;
  /** True if its error left a session that can be continued. */
  readonly continuable: boolean;
  /** True if the last check of the document at its gate left gaps. */
  readonly openGaps: boolean;
  readonly beadsDone: number;
  /** The code of its error, if it is blocked. */
  readonly errorCode?: string | null;
}

/** Returns the actions that may be taken on a ticket now. */
export function allowedActions(facts: ActionFacts): readonly ActionName[] {
  return actionNames.filter(
    (action) => action in rowOf(facts.status).actions && missing(facts, action) === undefined,
  );
}

/**
 * Returns the error that says why an action can't be taken now, and names what is possible; undefined when it
 * can be taken.
 */
export function refusalOf(facts: ActionFacts, action: ActionName): BeadsmithError | undefined {
  const condition = action in rowOf(facts.status).actions ? missing(facts, action) : 'previousAllows';
  if (condition === undefined) return undefined;
  return new BeadsmithError(refusals[condition], {
    status: rowOf(facts.status).label,
    action: action.replaceAll('_', ' '),
    allowed: allowedActions(facts).join(', ') || 'nothing, it is over',
  });
}

/** The error codes for conditions that don't hold. */
const refusals = {
  notPaused: 'ALREADY_PAUSED',
  held: 'NOT_HELD',
  questionAsked: 'ACTION_NOT_ALLOWED',
  permissionAsked: 'ACTION_NOT_ALLOWED',
  sessionInterrupted: 'NOTHING_TO_CONTINUE',
  gapsOpen: 'NO_OPEN_GAPS',
  beadDone: 'NO_FINISHED_BEAD',
  beadFailed: 'ACTION_NOT_ALLOWED',
  blocked: 'ACTION_NOT_ALLOWED',
  previousAllows: 'ACTION_NOT_ALLOWED',
} as const satisfies Record<Condition, ErrorCode>;

function missing(facts: ActionFacts, action: ActionName): Condition | undefined {
  const conditions = [
    ...(definitionOf(action).when ?? []),
    ...(rowOf(facts.status).actions[action]?.when ?? []),
  ];
  return conditions.find((condition) => !holds(condition, facts, action));
}

/** The errors that say that a bead failed and waits for a decision. */
const beadFailures: readonly ErrorCode[] = [
  ...([
    'BEAD_RETRY_BUDGET_EXHAUSTED',
    'BEAD_DEADLOCK',
    'FAILURE_NEEDS_DECISION',
    'FAILURE_ESCALATED',
  ] as const),
  ...(['BEAD_NOT_FAILED', 'BEAD_SKIP_REFUSED', 'PLAN_CHANGE_PROPOSED', 'PLAN_CHANGE_FAILED'] as const),
];

function holds(condition: Condition, facts: ActionFacts, action: ActionName): boolean {
  switch (condition) {
    case 'notPaused':
      return facts.hold !== 'paused' && facts.hold !== 'budget';
    // What an agent asked is answered, not resumed.
    case 'held':
      return facts.hold !== null && facts.hold !== 'question' && facts.hold !== 'permission';
    case 'questionAsked':
      return facts.hold === 'question';
    case 'permissionAsked':
      return facts.hold === 'permission';
    case 'sessionInterrupted':
      return facts.continuable;
    case 'gapsOpen':
      return facts.openGaps;
    case 'beadDone':
      return facts.beadsDone > 0;
    case 'beadFailed':
      return beadFailures.some((code) => code === facts.errorCode);
    case 'blocked':
      return rowOf(facts.status).role === 'blocked';
    case 'previousAllows':
      return facts.previousStatus !== null && action in rowOf(facts.previousStatus).actions;
  }
}
