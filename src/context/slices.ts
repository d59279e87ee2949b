import type { PromptPart } from '../domain/usage/promptPlan.ts';
import { leanInterview, withoutBookkeeping } from '../domain/documents/leanDocuments.ts';
import { isLongDescription, outlined } from '../domain/description/longDescription.ts';
import type { ContextState } from './contextState.ts';

export type Stability = PromptPart['stability'];

/**
 * The source from which the content of a part is refreshed (docs/decisions/154-order-by-last-change.md).
 * Every part is made when its prompt is, `state` from the database, `file` from files or git's objects,
 * `live` by asking the machine or the clock. `timer` would be something found out at intervals; no part is.
 */
export type Refresh = 'state' | 'file' | 'timer' | 'live';

/**
 * One kind of context (docs/decisions/039-context-slices-and-allowlists.md). An empty rendering leaves the
 * slice out of the prompt.
 */
export interface SliceRow {
  /** One line for the model: what the slice is. */
  readonly heading: string;
  /**
   * 0 fixed for the ticket, 1 for the bead, 2 per attempt, 3 per call. Never falls along a list of
   * `allowlists` (tested).
   */
  readonly stability: Stability;
  readonly refresh: Refresh;
  /**
   * Sessions that are asked side by side may each get a version of their own, so that its class keeps the
   * order of the list.
   */
  readonly varies?: true;
  /** Never shrunk and never dropped: without it a call makes no sense. */
  readonly protected?: true;
  /**
   * People or the engine say it and it holds, so that it stands outside of fences. No slice does: what a
   * ticket says is material.
   */
  readonly holds?: true;
  readonly render: (state: ContextState) => string;
}

/**
 * Every slice, in the order of the fixture. Documents go in without their bookkeeping, lists as numbered
 * items (`### Draft 1`).
 */
export const slices = defineSlices({
  ticket_details: {
    heading: 'The ticket: what the user wants.',
    stability: 0,
    refresh: 'state',
    protected: true,
    render: ticketDetails,
  },
  relevant_files: {
    heading: 'Files that the scan found relevant.',
    stability: 0,
    refresh: 'state',
    render: (state) => withoutBookkeeping(state.relevantFiles),
  },
  drafts: {
    heading: 'Drafts of the council.',
    stability: 2,
    refresh: 'state',
    varies: true,
    render: (state) => items('Draft', state.drafts),
  },
  votes: {
    heading: 'Votes of the council.',
    stability: 2,
    refresh: 'state',
    render: (state) => items('Vote', state.votes),
  },
  interview: {
    heading: 'The interview: questions and answers.',
    stability: 0,
    refresh: 'state',
    render: (state) => leanInterview(state.interview),
  },
  full_answers: {
    heading: 'The interview with every skipped question answered by a model.',
    stability: 0,
    refresh: 'state',
    varies: true,
    render: ({ fullAnswers }) => {
      const lean = fullAnswers.map(leanInterview);
      return lean.length === 1 ? (lean[0] ?? '') : items('Full answers', lean);
    },
  },
  user_answers: {
    heading: "The user's answers so far.",
    stability: 0,
    refresh: 'state',
    render: (state) => state.userAnswers,
  },
  prd: {
    heading: 'The PRD.',
    stability: 0,
    refresh: 'state',
    render: (state) => withoutBookkeeping(state.prd),
  },
  beads: { heading: 'The bead plan.', stability: 0, refresh: 'state', render: (state) => state.beads },
  beads_draft: {
    heading: 'The refined blueprint of the beads.',
    stability: 2,
    refresh: 'state',
    render: (state) => state.beadsDraft,
  },
  bead_data: {
    heading: 'The bead.',
    stability: 1,
    refresh: 'state',
    protected: true,
    render: (state) => state.beadData,
  },
  bead_notes: {
    heading: 'Notes from earlier iterations of this bead; the last is the newest.',
    stability: 2,
    refresh: 'state',
    render: (state) => items('Note', state.beadNotes),
  },
  execution_setup_profile: {
    heading: 'The environment as it was prepared before.',
    stability: 2,
    refresh: 'state',
    render: (state) => state.executionSetupProfile,
  },
  execution_setup_plan: {
    heading: 'The setup plan.',
    stability: 2,
    refresh: 'state',
    render: (state) => state.executionSetupPlan,
  },
  execution_setup_plan_notes: {
    heading: 'Notes from earlier drafts of the setup plan.',
    stability: 2,
    refresh: 'state',
    render: (state) => items('Note', state.executionSetupPlanNotes),
  },
  execution_setup_notes: {
    heading: 'Notes from failed attempts to prepare the environment.',
    stability: 2,
    refresh: 'state',
    render: (state) => items('Note', state.executionSetupNotes),
  },
  final_test_notes: {
    heading: 'Notes from failed attempts at the final test.',
    stability: 2,
    refresh: 'state',
    render: (state) => items('Note', state.finalTestNotes),
  },
  tests: {
    heading: 'Tests and their results.',
    stability: 3,
    refresh: 'state',
    render: (state) => state.tests,
  },
  error_context: {
    heading: 'What failed.',
    stability: 3,
    refresh: 'state',
    render: (state) => state.errorContext,
  },
});

export type SliceName = keyof typeof slices;
export const sliceNames = Object.keys(slices) as readonly SliceName[];

/**
 * The slices in the order in which they are cut when a prompt is over its budget
 * (docs/decisions/040-prompt-order-and-budget.md).
 */
export const trimOrder: readonly SliceName[] = [
  'error_context',
  'bead_notes',
  'execution_setup_plan_notes',
  'execution_setup_notes',
  'final_test_notes',
  'user_answers',
  'tests',
  'votes',
  'drafts',
  'full_answers',
  'beads_draft',
  'beads',
  'interview',
  'prd',
  'relevant_files',
  'execution_setup_plan',
  'execution_setup_profile',
  'ticket_details',
];

function ticketDetails({ ticketId, title, description }: ContextState): string {
  return `${ticketId}: ${title}\n\n${isLongDescription(description) ? outlined(description) : description}`.trimEnd();
}

/**
 * `### Draft 1` and so on, each followed by its text. The numbers are what votes and change records refer to.
 */
function items(label: string, texts: readonly string[]): string {
  return texts.map((text, index) => `### ${label} ${String(index + 1)}\n\n${text.trimEnd()}`).join('\n\n');
}

function defineSlices<K extends string>(rows: Readonly<Record<K, SliceRow>>): Readonly<Record<K, SliceRow>> {
  return rows;
}
