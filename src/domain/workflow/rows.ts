import type { ContextKey } from '../contextKeys.ts';

/** Groups statuses, for example those that plan the PRD. Tickets can be filtered by it. */
export type Band =
  | 'todo'
  | 'discovery'
  | 'interview'
  | 'prd'
  | 'beads'
  | 'pre_implementation'
  | 'implementation'
  | 'post_implementation'
  | 'done'
  | 'errors';

type Column = 'To Do' | 'Needs Input' | 'In Progress' | 'Done';

/** The three artifacts a council writes. */
export type Domain = 'interview' | 'prd' | 'beads';

/** Every handler with the exits it can take. A row must lead each of them somewhere; `phases/index.ts` must implement each handler. */
export interface HandlerExits {
  draft: 'start';
  scanRelevantFiles: 'ready';
  draftInterview: 'ready';
  draftPrd: 'ready';
  draftBeads: 'ready';
  voteCouncil: 'winner';
  compileInterview: 'ready';
  interview: 'complete' | 'skip_all';
  interviewCoverage: 'clean' | 'gaps' | 'limit';
  refinePrd: 'refined';
  refineBeads: 'refined';
  prdCoverage: 'clean' | 'limit';
  beadsCoverage: 'clean' | 'limit';
  expandBeads: 'expanded';
  approveInterview: 'approve' | 'regenerate';
  approvePrd: 'approve' | 'regenerate';
  approveBeads: 'approve' | 'regenerate';
  preflight: 'passed';
  setupPlan: 'ready';
  approveSetup: 'approve' | 'regenerate';
  prepareEnvironment: 'ready';
  coding: 'complete';
  finalTest: 'passed' | 'passed_qa';
  qaChecklist: 'ready';
  manualQa: 'passed' | 'changes';
  integrate: 'integrated';
  pullRequest: 'ready';
  review: 'merge' | 'close' | 'changes';
  cleanup: 'cleaned';
  rest: never;
}

/** The name of a handler. */
export type HandlerName = keyof HandlerExits;

/** What a person (or a forge, or a timer acting for one) can do to a ticket. Each is also a kind of inbox entry. */
export type ActionName =
  | 'start'
  | 'answer'
  | 'skip'
  | 'approve'
  | 'edit'
  | 'fix_gaps'
  | 'regenerate'
  | 'qa'
  | 'retry'
  | 'continue'
  | 'cancel'
  | 'merge'
  | 'close'
  | 'changes'
  | 'accept_bead'
  | 'suggest_edit'
  | 'context'
  | 'question_reply'
  | 'permission_reply'
  | 'pause'
  | 'resume'
  | 'rewind_setup'
  | 'limits';

/**
 * Where an action leads. `self` stays; `previous` is the status a block came from. `archivesFrom`: attempts of this status and all later ones are
 * archived; for `previous`, only those of that status.
 */
export interface ActionRow<S extends string> {
  readonly to: S | 'self' | 'previous';
  readonly archivesFrom?: S | 'previous';
}

/** A row of the workflow table. Its exits are those of its handler, each with the status it leads to; `S` is the union of all statuses. */
export type Row<S extends string> = {
  [H in HandlerName]: {
    /** What people read in the tree and the CLI; the views localize it. */
    readonly label: string;
    readonly band: Band;
    readonly column: Column;
    readonly kind: 'auto' | 'gate' | 'terminal';
    readonly handler: H;
    readonly domain?: Domain;
    readonly contexts: readonly ContextKey[];
    readonly exits: { readonly [E in HandlerExits[H]]: S };
    readonly actions: { readonly [A in ActionName]?: ActionRow<S> };
    readonly blockable: boolean;
    readonly cancelable: boolean;
  };
}[HandlerName];

/** What rows of the workflow table have in common. */

export const here = { to: 'self' } as const;

/** Ends the ticket for good. */
export const cancel = { to: 'CANCELED' } as const;

/** Actions on any ticket that has started and isn't over: cancel, add context, answer an agent, pause and resume, change limits. */
export const running = {
  ...{ cancel, context: here, question_reply: here, permission_reply: here },
  ...{ pause: here, resume: here, limits: here },
} as const;

/** As `running`, from coding on: finished beads can be accepted. */
export const delivering = { ...running, accept_bead: here } as const;

/** Requested changes or a suggested edit at a gate after coding: the ticket goes back, and is tested and integrated again. */
export const backToCoding = { to: 'CODING', archivesFrom: 'RUNNING_FINAL_TEST' } as const;

/**
 * An edit of an approved artifact rewinds: later attempts are archived and planning goes on from the edited document
 * (docs/decisions/014-edits-rewind.md).
 */
export const rewindToPrd = { to: 'DRAFTING_PRD', archivesFrom: 'DRAFTING_PRD' } as const;

/** As `rewindToPrd`, for an edit of the approved PRD. */
export const rewindToBeads = { to: 'DRAFTING_BEADS', archivesFrom: 'DRAFTING_BEADS' } as const;

/** A status in which the engine works. */
export const auto = { column: 'In Progress', kind: 'auto', blockable: true, cancelable: true } as const;

/** A status that waits for a person's decision. */
export const gate = { column: 'Needs Input', kind: 'gate', blockable: true, cancelable: true } as const;

/** A status in which a ticket is over. */
export const terminal = {
  column: 'Done',
  kind: 'terminal',
  handler: 'rest',
  contexts: [],
  exits: {},
  actions: {},
  blockable: false,
  cancelable: false,
} as const;
