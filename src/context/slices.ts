import type { PromptPart } from '../domain/usage/promptPlan.ts';
import { isLongDescription, outlined } from '../domain/description/longDescription.ts';
import type { ContextState } from './contextState.ts';
import { keepNewest } from '../base/keepNewest.ts';
import { Interview } from '../domain/requirements/interview.ts';
import { readText, writeText } from '../domain/documents/base/text.ts';

type Stability = PromptPart['stability'];

/**
 * A part's source (docs/decisions/154-order-by-last-change.md): `state` the database, `file` files or git,
 * `live` the machine or the clock; none has `timer`.
 */
export type Refresh = 'state' | 'file' | 'timer' | 'live';

/** One kind of context (docs/decisions/039-context-slices-and-allowlists.md). An empty one is left out. */
export interface SliceRow {
  readonly heading: string;
  /** 0 fixed for the ticket, 1 the bead, 2 per attempt, 3 per call. Never falls along `allowlists`. */
  readonly stability: Stability;
  readonly refresh: Refresh;
  /** May differ between parallel sessions, so its class keeps list order. */
  readonly varies?: true;
  readonly protected?: true;
  /** Binding, so outside of fences; never a slice. */
  readonly holds?: true;
  readonly render: (state: ContextState) => string;
}

/** Documents without bookkeeping, lists as numbered items. */
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

/** Slices in the order of cutting (docs/decisions/040-prompt-order-and-budget.md). */
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

function items(label: string, texts: readonly string[]): string {
  return texts.map((text, index) => `### ${label} ${String(index + 1)}\n\n${text.trimEnd()}`).join('\n\n');
}

function defineSlices<K extends string>(rows: Readonly<Record<K, SliceRow>>): Readonly<Record<K, SliceRow>> {
  return rows;
}

const bookkeeping = [
  'schema_version ticket_id artifact status generated_by source_interview approval file_count',
].flatMap((line) => line.split(' '));

/** A document as models read it (docs/decisions/174-documents-without-bookkeeping.md). */
export function withoutBookkeeping(text: string): string {
  if (!/^artifact:/m.test(text)) return text;
  let isKept = true;
  const lines = text.split('\n').filter((line) => {
    const key = /^([\w-]+):/.exec(line)?.[1];
    if (key !== undefined) isKept = !bookkeeping.includes(key);
    return isKept;
  });
  return lines.join('\n');
}

const known = new Map<string, string>();
const mostKnown = 8;

/** Without empty fields. What can't be read stays. */
export function leanInterview(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const read = readText('yaml', text);
  const { data } = Interview.safeParse(read.ok ? read.value : undefined);
  const lean = data ? writeText('yaml', leanOf(data)) : withoutBookkeeping(text);
  known.set(text, lean);
  keepNewest(known, mostKnown);
  return lean;
}

function leanOf({ questions, settled, merged, trimmed, summary }: Interview): object {
  return {
    questions: questions.map(({ source: _source, answer: { answered_at: _at, ...answer }, ...question }) => {
      return { ...withoutEmpty(question), answer: withoutEmpty(answer) };
    }),
    ...withoutEmpty({ settled, merged, trimmed }),
    summary: withoutEmpty(summary),
  };
}

function withoutEmpty(fields: object): object {
  const said = Object.entries(fields).filter(([, value]: [string, unknown]) => {
    return value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
  });
  return Object.fromEntries(said);
}
