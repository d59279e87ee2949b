import * as z from 'zod';
import { PrdDraft } from '../../domain/requirements/prd.ts';
import { yamlFence } from '../script/documentText.ts';
import { QuestionForm, type ScriptInput } from '../script/modelScript.ts';
import { sample } from './sample.ts';

type Tasks = ScriptInput['tasks'];

const { questions } = sample;

export const forms = z.record(z.string(), QuestionForm).parse(sample.forms);
export const settled = { Q05: 'The ticket asks for no new dependencies.' };
export const assumedAnswers = { Q03: 'rfc4180' };

// As it is written, without defaults: a model's answer.
const prd = z.custom<PrdDraft>((draft) => PrdDraft.safeParse(draft).success).parse(sample.prd);

const borrowedRisk = 'Nobody said how large a report gets; assumed: it fits into memory';

const shorterPrd: PrdDraft = {
  ...prd,
  risks: [borrowedRisk],
  epics: prd.epics.map((epic) => ({ ...epic, user_stories: epic.user_stories.slice(0, 2) })),
};

type Story = PrdDraft['epics'][number]['user_stories'][number];

function withStory(draft: PrdDraft, id: string, change: (story: Story) => Story): PrdDraft {
  const epics = draft.epics.map((epic) => ({
    ...epic,
    user_stories: epic.user_stories.map((story) => (story.id === id ? change(story) : story)),
  }));
  return { ...draft, epics };
}

const refinedPrd = withStory({ ...prd, risks: [...prd.risks, borrowedRisk] }, 'US-1-1', (story) => ({
  ...story,
  title: 'Filter a report by what was agreed',
}));

/** The user wrote it in QFF1, and the first candidate forgot it. */
const gap =
  'QFF1 says that names may begin with = or - and that opening the file must never run anything; no criterion of US-1-2 covers that.';
const missing =
  'A name that begins with =, +, - or @ is written so that no spreadsheet takes it for a formula';

const revisedPrd = withStory(refinedPrd, 'US-1-2', (story) => ({
  ...story,
  interview_refs: [...story.interview_refs, 'QFF1'],
  acceptance_criteria: [...story.acceptance_criteria, missing],
}));

/** Has no scope: the one answer that must be repaired. */
const malformed = Object.fromEntries(Object.entries(prd).filter(([key]) => key !== 'scope'));

export const planningTasks: Tasks = {
  'interview-draft': [
    { when: { model: 'alpha' }, text: yamlFence({ questions }) },
    {
      when: { model: 'beta' },
      text: yamlFence({
        questions: [
          { id: 'Q01', phase: 'foundation', question: 'Who opens the exported file, and with what?' },
          { id: 'Q02', phase: 'structure', question: 'By what should a report be filtered?' },
          { id: 'Q03', phase: 'assembly', question: 'Should an unknown filter be an error?' },
        ],
      }),
    },
  ],
  'interview-refine': [{ text: yamlFence({ questions, changes: [] }) }],
  'prd-draft': [
    { when: { model: 'alpha', repair: false }, text: yamlFence(malformed) },
    { when: { model: 'alpha', repair: true }, text: yamlFence(prd) },
    { text: yamlFence(shorterPrd) },
  ],
  'prd-refine': [
    {
      text: yamlFence({
        ...refinedPrd,
        changes: [
          {
            type: 'added',
            item_type: 'risk',
            before: null,
            after: { id: '', label: borrowedRisk },
            inspiration: { alternative_draft: 'Draft 2', item: 'risks' },
          },
          {
            type: 'modified',
            item_type: 'user_story',
            before: { id: 'US-1-1', title: 'Filter a report' },
            after: { id: 'US-1-1', title: 'Filter a report by what was agreed' },
            inspiration: null,
          },
        ],
      }),
    },
  ],
  'prd-coverage': [
    // The interview ended before its last question.
    { when: { part: 'full_answers', lacks: 'QFF1' }, gaps: [] },
    { when: { part: 'prd', lacks: 'formula' }, gaps: [gap] },
  ],
  'prd-revise': [
    {
      text: yamlFence({
        ...revisedPrd,
        changes: [
          {
            type: 'modified',
            item_type: 'user_story',
            before: { id: 'US-1-2', label: 'Write a report as CSV' },
            after: { id: 'US-1-2', label: 'Write a report as CSV that runs nothing' },
            inspiration: null,
          },
        ],
        gap_resolutions: [
          {
            gap,
            action: 'updated_prd',
            rationale: 'US-1-2 has a criterion for names that look like formulas.',
            affected_items: [{ item_type: 'user_story', id: 'US-1-2', label: 'Write a report as CSV' }],
          },
        ],
      }),
    },
  ],
};
