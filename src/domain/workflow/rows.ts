import type { ContextKey } from './contextKeys.ts';
import type { ActionName } from './actions.ts';
import type { Condition } from './formFields.ts';

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

/**
 * The kinds of documents that people read and decide on; `domain/documents/documents.ts` says what each is.
 */
export type DocumentKind =
  | 'relevant_files'
  | 'interview'
  | 'prd'
  | 'beads'
  | 'execution_setup_plan'
  | 'review_findings'
  | 'bead_records'
  | 'manual_qa_checklist'
  | 'received_handoff'
  | 'retrospective_report'
  | 'handoff_report'
  | 'uat_checklist';

/**
 * Every handler with the exits it can take. A row must lead each of them somewhere; `phases/index.ts` must
 * implement each handler.
 */
export interface HandlerExits {
  draft: 'start' | 'loop';
  scanRelevantFiles: 'ready' | 'quick';
  prepareLoop: 'ready';
  planQuick: 'ready' | 'questions' | 'full';
  quickAnswers: 'complete';
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
  approve: 'approve' | 'regenerate';
  preflight: 'passed';
  setupPlan: 'ready' | 'reused';
  prepareEnvironment: 'ready' | 'stale';
  coding: 'complete' | 'updated';
  finalTest: 'passed' | 'passed_qa';
  qaChecklist: 'ready';
  manualQa: 'passed' | 'changes';
  integrate: 'integrated';
  pullRequest: 'ready';
  review: 'merge' | 'close' | 'changes';
  retrospective: 'done';
  cleanup: 'cleaned';
  rest: never;
}

/** The name of a handler. */
export type HandlerName = keyof HandlerExits;

/**
 * The effect of an action in a status. `to`: where it leads; `self` stays, `previous` is the status that a
 * block came from, and `asPrevious` does what the row of that one says. `archives`: the status it leads to
 * starts a new attempt (`attempt`), or so does everything from there on (`onward`).
 */
export interface ActionRow<S extends string> {
  readonly to: S | 'self' | 'previous' | 'asPrevious';
  readonly archives?: 'attempt' | 'onward';
  /**
   * Of an edit: an edit of one of these approved documents rewinds the ticket to where its successor is made,
   * and archives everything from there on.
   */
  readonly rewinds?: readonly DocumentKind[];
  /** The entry waits in the inbox until the handler comes to it; the ticket can be idle meanwhile. */
  readonly queued?: true;
  /** The conditions in this status, apart from those of the action itself. */
  readonly when?: readonly Condition[];
}

/**
 * A status that is asked for by what it stands for: where tickets begin, where they wait after a failure, and
 * how they end.
 */
export type Role = 'draft' | 'blocked' | 'completed' | 'canceled';

/**
 * A row of the workflow table. Its exits are those of its handler, each with the status it leads to; `S` is
 * the union of all statuses.
 */
export type Row<S extends string> = {
  [H in HandlerName]: {
    /** The name for people in the tree and the CLI; the views localize it. */
    readonly label: string;
    readonly band: Band;
    readonly column: Column;
    readonly kind: 'auto' | 'gate' | 'terminal';
    readonly handler: H;
    /** The document that the status works on; at a gate, the one that waits for approval. */
    readonly document?: DocumentKind;
    /** At a gate: documents that are approved with it, by one decision. */
    readonly beside?: readonly DocumentKind[];
    readonly contexts: readonly ContextKey[];
    readonly exits: { readonly [E in HandlerExits[H]]: S };
    readonly actions: { readonly [A in ActionName]?: ActionRow<S> };
    readonly role?: Role;
    /**
     * False where what is done stays done: nothing of the status is archived, and it has one attempt for
     * good. Default: true.
     */
    readonly attempts?: false;
    /** Only so many tickets at a time are worked on in it, as a person set; the rest wait in a line. */
    readonly limited?: true;
  };
}[HandlerName];

/** An action that leaves the ticket where it is. */
export const here = { to: 'self' } as const;

/** As `here`, for what is taken between two pieces of work. */
export const queued = { to: 'self', queued: true } as const;

/** Ends the ticket for good. */
export const cancel = { to: 'CANCELED' } as const;

/**
 * Actions on any ticket that has started and isn't over: cancel, add context, choose what prompts hold,
 * answer an agent, pause and resume, change limits.
 */
export const running = {
  cancel,
  context: queued,
  withdraw_context: here,
  edit_context: here,
  prompt_rule: here,
  preview_prompt: here,
  question_reply: here,
  permission_reply: here,
  pause: here,
  resume: here,
  limits: here,
} as const;

/** As `running`, until the plan is approved: what an earlier ticket left for this one can be edited. */
export const planning = { ...running, edit_handoff: here } as const;

/**
 * As `planning`, while a ticket is planned quickly: it can be planned in full instead. What was asked and
 * answered stays.
 */
export const quick = { ...planning, plan_in_full: { to: 'COUNCIL_DELIBERATING' } } as const;

/** As `running`, from coding on: finished beads can be accepted, and findings decided. */
export const delivering = { ...running, accept_bead: here, finding: queued } as const;

/**
 * A person's request or own edit, at a gate after coding: the work goes back, and is tested and integrated
 * again.
 */
export const backToCoding = { to: 'CODING', archives: 'onward' } as const;

/** The branch takes its base, and is integrated again. */
export const backToIntegration = { to: 'INTEGRATING_CHANGES', archives: 'onward' } as const;

/** Back to the approval of the setup plan: the environment is prepared again. */
export const backToSetup = { to: 'WAITING_EXECUTION_SETUP_APPROVAL', archives: 'onward' } as const;

/**
 * As long as the plan isn't closed, an edit of an approved document rewinds
 * (docs/decisions/014-edits-rewind.md).
 */
export const rewinding = { to: 'self', rewinds: ['interview', 'prd'] } as const;

/**
 * After its approval the bead plan can still be edited: the environment is planned and prepared again for it.
 */
export const replanning = { to: 'self', rewinds: ['beads'] } as const;

/** A status in which the engine works. */
export const auto = { column: 'In Progress', kind: 'auto' } as const;

/** A status that waits for a person's decision. */
export const gate = { column: 'Needs Input', kind: 'gate' } as const;

/** A status in which a ticket is over. */
export const terminal = {
  column: 'Done',
  kind: 'terminal',
  handler: 'rest',
  contexts: [],
  exits: {},
  actions: {},
} as const;
