import type { ContextKey } from './contextKeys.ts';
import type { ActionName } from './actions.ts';
import type { Condition } from './formFields.ts';

/** Groups of statuses, by which tickets can be filtered, with their names. */
export const bandLabels = {
  todo: 'Draft',
  discovery: 'Scan',
  interview: 'Interview',
  prd: 'PRD',
  beads: 'Beads',
  pre_implementation: 'Setup',
  implementation: 'Coding',
  post_implementation: 'Delivery',
  done: 'Finished',
  errors: 'Blocked',
} as const;
/** One of them. */
export type Band = keyof typeof bandLabels;

/** The name of a group; its ID, where another version had others. */
export function bandLabel(band: string): string {
  return Object.entries(bandLabels).find(([known]) => known === band)?.[1] ?? band;
}

type Column = 'To Do' | 'Needs Input' | 'In Progress' | 'Done';

/** Kinds of documents; see `domain/documents/documents.ts`. */
export type DocumentKind =
  | 'relevant_files'
  | 'interview'
  | 'prd'
  | 'beads'
  | 'execution_setup_plan'
  | 'review_findings'
  | 'bead_records'
  | 'manual_qa_checklist'
  | 'ticket_limits'
  | 'prompt_rules'
  | 'received_handoff'
  | 'retrospective_report'
  | 'handoff_report'
  | 'uat_checklist';

/** Handlers' exits. A row must lead each somewhere; `phases/index.ts` must implement each handler. */
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
  approve: 'approve' | 'passed_by_policy' | 'regenerate';
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

/** A handler's name. */
export type HandlerName = keyof HandlerExits;

/**
 * An action in a status. `to`: `self` stays, `previous` is the one before a block, `asPrevious` does as its
 * row. `archives`: a new attempt of the target (`attempt`), or of all from there on (`onward`).
 */
export interface ActionRow<S extends string> {
  readonly to: S | 'self' | 'previous' | 'asPrevious';
  readonly archives?: 'attempt' | 'onward';
  /**
   * Of an edit: one of these approved documents rewinds to its successor's making, archiving all from there
   * on.
   */
  readonly rewinds?: readonly DocumentKind[];
  /** The entry waits for the handler; the ticket can be idle. */
  readonly queued?: true;
  readonly when?: readonly Condition[];
}

/** Statuses with a meaning of their own. */
export type Role = 'draft' | 'blocked' | 'completed' | 'canceled';

/** A workflow row; `S` is the union of all statuses. */
export type Row<S extends string> = {
  [H in HandlerName]: {
    /** For tree and CLI; views localize it. */
    readonly label: string;
    /** Three words at most, if the label is longer or says less. The ticket's row in the tree begins so. */
    readonly short?: string;
    readonly band: Band;
    readonly column: Column;
    readonly kind: 'auto' | 'gate' | 'terminal';
    readonly handler: H;
    readonly document?: DocumentKind;
    /** At a gate: approved by the same decision. */
    readonly beside?: readonly DocumentKind[];
    readonly contexts: readonly ContextKey[];
    readonly exits: { readonly [E in HandlerExits[H]]: S };
    readonly actions: { readonly [A in ActionName]?: ActionRow<S> };
    readonly role?: Role;
    /** False: nothing is archived, and there is one attempt for good. Default: true. */
    readonly attempts?: false;
    /** A person limits the tickets at work in it; the rest wait in a line. */
    readonly limited?: true;
  };
}[HandlerName];

/** Leaves the ticket in place. */
export const here = { to: 'self' } as const;

/** As `here`, between two pieces of work. */
export const queued = { to: 'self', queued: true } as const;

/** Ends the ticket for good. */
export const cancel = { to: 'CANCELED' } as const;

/** Actions on any started ticket that isn't over. */
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
  change_models: here,
} as const;

/** As `running`, while gates are ahead that can be passed. */
export const preparing = { ...running, wait_at_gates: here, pass_gates: here } as const;

/** As `preparing`, until the plan's approval: a received handoff can be edited. */
export const planning = { ...preparing, edit_handoff: here } as const;

/** As `planning`, with quick planning: full planning keeps questions and answers. */
export const quick = { ...planning, plan_in_full: { to: 'COUNCIL_DELIBERATING' } } as const;

/** As `running`, from coding on: finished beads can be accepted, findings decided. */
export const delivering = { ...running, accept_bead: here, finding: queued } as const;

/** A request or edit after coding: the work is coded, tested and integrated again. */
export const backToCoding = { to: 'CODING', archives: 'onward' } as const;

/** The branch takes its base, and is integrated again. */
export const backToIntegration = { to: 'INTEGRATING_CHANGES', archives: 'onward' } as const;

/** Back to the setup plan's approval: the environment is prepared again. */
export const backToSetup = { to: 'WAITING_EXECUTION_SETUP_APPROVAL', archives: 'onward' } as const;

/** An edit of an approved document rewinds (docs/decisions/014-edits-rewind.md). */
export const rewinding = { to: 'self', rewinds: ['interview', 'prd'] } as const;

/** An edit of the approved plan: the environment is planned and prepared again. */
export const replanning = { to: 'self', rewinds: ['beads'] } as const;

/** A status of the engine. */
export const auto = { column: 'In Progress', kind: 'auto' } as const;

/** A status that waits for a person. */
export const gate = { column: 'Needs Input', kind: 'gate' } as const;

/** A final status. */
export const terminal = {
  column: 'Done',
  kind: 'terminal',
  handler: 'rest',
  contexts: [],
  exits: {},
  actions: {},
} as const;
