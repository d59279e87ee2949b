import { BeadsmithError, type ErrorCode } from '../core/errors.ts';
import { type ActionName, actionNames, definitionOf } from './actions.ts';
import type { Condition } from './formFields.ts';
import { rowOf, type Status } from './workflow.ts';

/** Facts for the availability of actions. */
export interface ActionFacts {
  readonly status: Status;
  /** Before a block, or the one before. */
  readonly previousStatus: Status | null;
  readonly hold: string | null;
  /** Its error left a session to continue. */
  readonly continuable: boolean;
  readonly openGaps: boolean;
  /** Gates that leave nothing to decide are passed. */
  readonly passesGates?: boolean;
  /** Beadsmith merged it, and knows where the base was before. */
  readonly merged?: boolean;
  /** It has a pull request on a forge. */
  readonly published?: boolean;
  /** Checks of its latest commit failed there. */
  readonly checksFailed?: boolean;
  /** The forge merges it without another decision. */
  readonly mergePlanned?: boolean;
  /** Its branch is a runner's, which merges nothing: people merge on the forge. */
  readonly ofTeam?: boolean;
  readonly beadsDone: number;
  readonly errorCode?: string | null;
}

/** A ticket's possible actions. */
export function allowedActions(facts: ActionFacts): readonly ActionName[] {
  return actionNames.filter(
    (action) => action in rowOf(facts.status).actions && missing(facts, action) === undefined,
  );
}

/** The error of an action that can't be taken now, with the possible ones; undefined if it can. */
export function refusalOf(facts: ActionFacts, action: ActionName): BeadsmithError | undefined {
  const condition = action in rowOf(facts.status).actions ? missing(facts, action) : 'previousAllows';
  if (condition === undefined) return undefined;
  return new BeadsmithError(conditions[condition].refusal, {
    status: rowOf(facts.status).label,
    action: action.replaceAll('_', ' '),
    allowed: allowedActions(facts).join(', ') || 'nothing, it is over',
  });
}

interface ConditionRow {
  /** The error where it doesn't hold. */
  readonly refusal: ErrorCode;
  readonly holds: (facts: ActionFacts, action: ActionName) => boolean;
}

const conditions: Readonly<Record<Condition, ConditionRow>> = {
  notPaused: { refusal: 'ALREADY_PAUSED', holds: ({ hold }) => hold !== 'paused' && hold !== 'budget' },
  held: {
    refusal: 'NOT_HELD',
    // An agent's question is answered, not resumed.
    holds: ({ hold }) => hold !== null && hold !== 'question' && hold !== 'permission',
  },
  questionAsked: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ hold }) => hold === 'question' },
  permissionAsked: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ hold }) => hold === 'permission' },
  sessionInterrupted: { refusal: 'NOTHING_TO_CONTINUE', holds: ({ continuable }) => continuable },
  gapsOpen: { refusal: 'NO_OPEN_GAPS', holds: ({ openGaps }) => openGaps },
  passesGates: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ passesGates }) => passesGates === true },
  waitsAtGates: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ passesGates }) => passesGates !== true },
  beadDone: { refusal: 'NO_FINISHED_BEAD', holds: ({ beadsDone }) => beadsDone > 0 },
  beadFailed: {
    refusal: 'ACTION_NOT_ALLOWED',
    holds: ({ errorCode }) => beadFailures.some((code) => code === errorCode),
  },
  merged: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ merged }) => merged === true },
  published: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ published }) => published === true },
  checksFailed: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ checksFailed }) => checksFailed === true },
  mergePlanned: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ mergePlanned }) => mergePlanned === true },
  mergedHere: { refusal: 'MERGE_ON_FORGE', holds: ({ ofTeam }) => ofTeam !== true },
  blocked: { refusal: 'ACTION_NOT_ALLOWED', holds: ({ status }) => rowOf(status).role === 'blocked' },
  previousAllows: {
    refusal: 'ACTION_NOT_ALLOWED',
    holds: ({ previousStatus }, action) => previousStatus !== null && action in rowOf(previousStatus).actions,
  },
};

function missing(facts: ActionFacts, action: ActionName): Condition | undefined {
  const wanted = [...(definitionOf(action).when ?? []), ...(rowOf(facts.status).actions[action]?.when ?? [])];
  return wanted.find((condition) => !conditions[condition].holds(facts, action));
}

const beadFailures: readonly ErrorCode[] = [
  'BEAD_RETRY_BUDGET_EXHAUSTED',
  'BEAD_DEADLOCK',
  'FAILURE_NEEDS_DECISION',
  'FAILURE_ESCALATED',
  'BEAD_NOT_FAILED',
  'BEAD_SKIP_REFUSED',
  'PLAN_CHANGE_PROPOSED',
  'PLAN_CHANGE_FAILED',
];
