import type { PrdDraft } from '../../domain/requirements/prd.ts';
import { yamlFence } from '../script/documentText.ts';
import type { ScriptInput } from '../script/modelScript.ts';

type Tasks = ScriptInput['tasks'];

const questions = [
  { id: 'Q01', phase: 'foundation', question: 'What opens the exported file?' },
  { id: 'Q02', phase: 'structure', question: 'Which filters does a report need?' },
  { id: 'Q03', phase: 'structure', question: 'Which separator and line ends should the file have?' },
  { id: 'Q04', phase: 'assembly', question: 'What should happen with a filter that does not exist?' },
  { id: 'Q05', phase: 'assembly', question: 'May the export use a package that writes CSV?' },
];

/** The form of the interview's questions. */
export const forms: NonNullable<ScriptInput['questions']> = {
  Q01: {
    priority: 'high',
    rationale: 'Decides how cells are quoted.',
    answer_type: 'single_choice',
    options: [
      { id: 'spreadsheet', label: 'Spreadsheet' },
      { id: 'program', label: 'Another program' },
    ],
  },
  Q02: {
    priority: 'critical',
    rationale: 'Decides what a filter can be asked for.',
    answer_type: 'multiple_choice',
    options: [
      { id: 'category', label: 'By category' },
      { id: 'shelf', label: 'By shelf' },
      { id: 'quantity', label: 'By what runs low' },
      { id: 'price', label: 'By price' },
    ],
  },
  Q03: {
    priority: 'low',
    rationale: 'Spreadsheets of some countries expect semicolons.',
    answer_type: 'single_choice',
    options: [
      { id: 'rfc4180', label: 'Commas and CRLF, as RFC 4180 says' },
      { id: 'semicolon', label: 'Semicolons and LF' },
    ],
  },
  Q04: {
    priority: 'medium',
    rationale: 'A slip in a filter must not go unseen.',
    answer_type: 'single_choice',
    options: [
      { id: 'error', label: 'An error that names it' },
      { id: 'ignore', label: 'It is ignored' },
    ],
  },
};
/** The questions that the interview doesn't ask, and why. */
export const settled = { Q05: 'The ticket asks for no new dependencies.' };
export const assumedAnswers = { Q03: 'rfc4180' };

const prd: PrdDraft = {
  product: {
    problem_statement:
      'Purchasing copies the text report into a spreadsheet by hand every Monday. It needs a CSV file with only the rows that concern it. (Scripted.)',
    target_users: ['The purchasing team', 'People who call stockroom from scripts'],
  },
  scope: {
    in_scope: [
      'Filters by category, shelf and quantity',
      'CSV with the columns of the text table',
      'Options of the command line for both',
    ],
    out_of_scope: ['Filters by price', 'Other separators than the comma', 'Reading CSV'],
  },
  technical_requirements: {
    architecture_constraints: [
      'Pure functions in modules of their own; only src/cli.js prints',
      'No new dependencies',
    ],
    data_model: ['Money stays whole cents until a formatter writes it'],
    api_contracts: ['buildReport(inventory, filters?)', 'formatCsv(report) answers a text'],
    error_handling_rules: ['An unknown filter is an error that names it'],
    tooling_assumptions: ['Tests run with node --test'],
  },
  epics: [
    {
      id: 'EPIC-1',
      title: 'Filtered reports as CSV',
      objective: 'Purchasing opens a file instead of copying a table.',
      implementation_steps: ['Filter, then write, then offer both on the command line.'],
      user_stories: [
        {
          id: 'US-1-1',
          title: 'Filter a report',
          interview_refs: ['Q02', 'Q04'],
          acceptance_criteria: [
            'category (any letter case), shelf and maxQuantity can be combined',
            'Totals speak of the rows that are left',
            'An unknown filter is an error that names it',
            'Without filters a report is what it was',
          ],
          implementation_steps: ['Add src/filterRows.js and use it in buildReport()'],
          verification: { required_commands: ['node --test test/filterRows.test.js'] },
        },
        {
          id: 'US-1-2',
          title: 'Write a report as CSV',
          interview_refs: ['Q01', 'Q03'],
          acceptance_criteria: [
            'Commas, quotes and line ends in a cell are quoted, quotes doubled, lines end with CRLF (RFC 4180)',
            'The columns are those of the text table',
          ],
          implementation_steps: ['Add src/csv.js, then src/formatCsv.js on top of it'],
          verification: { required_commands: ['node --test test/csv.test.js test/formatCsv.test.js'] },
        },
        {
          id: 'US-1-3',
          title: 'Ask for it on the command line',
          interview_refs: ['Q02', 'ticket'],
          acceptance_criteria: [
            '--csv, --category, --shelf and --max-quantity work together',
            'Without them the output stays as it is',
          ],
          implementation_steps: ['Extend src/cli.js and README.md'],
          verification: { required_commands: ['node --test test/cli.test.js'] },
        },
      ],
    },
  ],
  risks: ['Spreadsheets of some countries expect semicolons; assumed: commas are fine'],
};

/** The risk that the other draft has and the winner's lacks. */
const borrowedRisk = 'Nobody said how large a report gets; assumed: it fits into memory';

const shorterPrd: PrdDraft = {
  ...prd,
  risks: [borrowedRisk],
  epics: prd.epics.map((epic) => ({ ...epic, user_stories: epic.user_stories.slice(0, 2) })),
};

/** The winner's draft with what it takes from the other one. */
const refinedPrd: PrdDraft = {
  ...prd,
  risks: [...prd.risks, borrowedRisk],
  epics: prd.epics.map((epic) => ({
    ...epic,
    user_stories: epic.user_stories.map((story) =>
      story.id === 'US-1-1' ? { ...story, title: 'Filter a report by what was agreed' } : story,
    ),
  })),
};

/** The gap: what the user wrote in QFF1 and the first candidate forgot. */
const gap =
  'QFF1 says that names may begin with = or - and that opening the file must never run anything; no criterion of US-1-2 covers that.';
const missing =
  'A name that begins with =, +, - or @ is written so that no spreadsheet takes it for a formula';

const revisedPrd: PrdDraft = {
  ...refinedPrd,
  epics: refinedPrd.epics.map((epic) => ({
    ...epic,
    user_stories: epic.user_stories.map((story) =>
      story.id === 'US-1-2'
        ? {
            ...story,
            interview_refs: [...story.interview_refs, 'QFF1'],
            acceptance_criteria: [...story.acceptance_criteria, missing],
          }
        : story,
    ),
  })),
};

/** Not a PRD: it has no scope. The one answer of the demo that has to be repaired. */
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
    // The interview ended before its last question was asked.
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
