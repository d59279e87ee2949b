import { stringify } from 'yaml';
import { sha256 } from '../../../src/base/sha256.ts';
import type { BlueprintBead } from '../../../src/domain/beads/bead.ts';
import type { Interview } from '../../../src/domain/requirements/interview.ts';
import { normalPrd, type PrdDraft } from '../../../src/domain/requirements/prd.ts';

export const scanAnswer = `<RELEVANT_FILES_RESULT>
file_count: 2
files:
  - path: ./src/greet.ts
    rationale: Greets.
    relevance: high
    likely_action: modify
  - path: src/gone.ts
    rationale: Was there once.
    likely_action: read
  - path: src/new.ts
    rationale: Will be there.
    likely_action: create
</RELEVANT_FILES_RESULT>`;

export const questions = [
  { id: 'Q01', phase: 'foundation', question: 'Who is greeted?' },
  { id: 'Q02', phase: 'structure', question: 'In which languages?' },
  { id: 'Q03', phase: 'assembly', question: 'What about nobody?' },
] as const;

const score = {
  coverage: 10,
  correctness: 10,
  testability: 10,
  decomposition: 10,
  risks: 10,
  reason: 'Fine.',
};

export function ballot(...scores: readonly number[]): string {
  const entries = scores.map((coverage, index) => [`Draft ${String(index + 1)}`, { ...score, coverage }]);
  return stringify({ draft_scores: Object.fromEntries(entries) as unknown });
}

export const prd: PrdDraft = {
  product: { problem_statement: 'Nobody is greeted.', target_users: ['People'] },
  scope: { in_scope: ['Greeting by name'], out_of_scope: [] },
  technical_requirements: {},
  epics: [
    {
      id: '',
      title: 'Greeting',
      objective: 'People are greeted.',
      implementation_steps: [],
      user_stories: [
        {
          id: '',
          title: 'Greet by name',
          interview_refs: ['Q01', 'Q02'],
          acceptance_criteria: ['greet("Ada") answers "Hello, Ada"'],
          implementation_steps: [],
          verification: { required_commands: [] },
        },
      ],
    },
  ],
  risks: [],
};

/** A PRD as it is stored. */
export function prdText(body: PrdDraft = prd): string {
  return stringify(normalPrd(body, { ticketId: 'TST-1', interviewSha256: 'a'.repeat(64) }));
}

export const beads: readonly BlueprintBead[] = ['greet-by-name', 'greet-nobody'].map((id) => ({
  id,
  title: `Do ${id}`,
  prdRefs: ['EPIC-1'],
  description: 'Write it.',
  contextGuidance: { patterns: [], anti_patterns: [] },
  acceptanceCriteria: ['It greets.'],
  tests: ['A test'],
  testCommands: ['node --test'],
}));

export function expansion(...blockedBy: readonly (readonly string[])[]): string {
  return beads
    .map(({ id }, index) =>
      JSON.stringify({
        id,
        issueType: 'task',
        labels: ['x'],
        dependencies: { blocked_by: blockedBy[index] ?? [] },
        targetFiles: ['src/greet.ts'],
      }),
    )
    .join('\n');
}

const prdRows = ['Q01', 'Q02'].map((id) => ({ id, met_by: ['US-1-1.AC1'], note: '' }));
const planRows = [{ id: 'US-1-1.AC1', met_by: ['greet-by-name'], note: '' }];

export const clean = stringify({ status: 'clean', gaps: [], follow_up_questions: [] });
export function gaps(...texts: readonly string[]): string {
  return stringify({ status: 'gaps', gaps: texts, follow_up_questions: [] });
}

export const cleanPrd = stringify({ rows: prdRows, status: 'clean', gaps: [], follow_up_questions: [] });
export const cleanPlan = stringify({ rows: planRows, status: 'clean', gaps: [], follow_up_questions: [] });

export function prdGaps(...texts: readonly string[]): string {
  return stringify({ rows: prdRows, status: 'gaps', gaps: texts, follow_up_questions: [] });
}

export function planGaps(...texts: readonly string[]): string {
  return stringify({ rows: planRows, status: 'gaps', gaps: texts, follow_up_questions: [] });
}

/** One answer and one skip. */
export function interviewDocument(over: Partial<Interview> = {}): Interview {
  const at = '2026-01-01T00:00:00.000Z';
  const answer = {
    skipped: false,
    selected_option_ids: [],
    free_text: 'Everyone.',
    answered_by: 'user',
    answered_at: at,
  } as const;
  const base = {
    phase: 'foundation',
    source: 'compiled',
    follow_up_round: null,
    covers: [] as string[],
  } as const;
  return {
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'interview',
    status: 'draft',
    generated_by: { winner_model: 'demo/main', generated_at: at, canonicalization: 'server_normalized' },
    questions: [
      {
        ...base,
        id: 'Q01',
        prompt: 'Who?',
        answer_type: 'free_text',
        options: [],
        answer: { ...answer, selected_option_ids: [] },
      },
      {
        ...base,
        id: 'Q02',
        prompt: 'Loudly?',
        answer_type: 'yes_no',
        options: [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No' },
        ],
        answer: {
          skipped: true,
          selected_option_ids: [],
          free_text: '',
          answered_by: 'user',
          answered_at: at,
          skip_reason: 'You decide.',
        },
      },
    ],
    settled: [],
    merged: [],
    trimmed: [],
    follow_up_rounds: [],
    summary: { goals: [], constraints: [], non_goals: [], final_free_form_answer: '' },
    approval: { approved_by: '', approved_at: '' },
    ...over,
  };
}

export function winnerDocument(winner = 'demo/main'): string {
  return stringify({ schema_version: 1, winner, totals: {}, tie: false });
}

export function draftsDocument(contents: Readonly<Record<string, string>>): string {
  const drafts = Object.entries(contents).map(([member, content]) => ({
    member,
    outcome: 'completed',
    content,
    sha256: sha256(content),
    error: null,
    metrics: {},
  }));
  return stringify({ schema_version: 1, drafts });
}

/** Its story names these as its sources. */
export function prdFrom(...refs: readonly string[]): PrdDraft {
  const epics = prd.epics.map((epic) => ({
    ...epic,
    user_stories: epic.user_stories.map((story) => ({ ...story, interview_refs: [...refs] })),
  }));
  return { ...prd, epics };
}

/** The PRD and both beads, expanded. */
export const quickPlan = {
  prd: prdFrom('ticket'),
  beads: beads.map((bead, index) => ({
    ...bead,
    prdRefs: ['US-1-1'],
    issueType: 'feature',
    labels: ['x'],
    dependencies: { blocked_by: beads.slice(Math.max(0, index - 1), index).map(({ id }) => id) },
    targetFiles: ['src/greet.ts'],
  })),
};

export function quickPlanAnswer(plan: unknown = quickPlan): string {
  return `<QUICK_PLAN>\n${stringify(plan)}</QUICK_PLAN>`;
}

export function quickQuestions(count: number): string {
  const asked = Array.from({ length: count }, (_, index) => ({
    id: `Q0${String(index + 1)}`,
    question: `Open ${String(index + 1)}?`,
    answer_type: 'free_text',
  }));
  return `<QUICK_QUESTIONS>\n${stringify({ questions: asked })}</QUICK_QUESTIONS>`;
}
