import type * as z from 'zod';
import type { BlueprintBead } from '../../domain/beads/bead.ts';
import { yamlFence } from '../script/documentText.ts';
import type { ScriptInput } from '../script/modelScript.ts';

const guidance = {
  patterns: ['Plain ES modules, one thing a file, as in src/money.js'],
  anti_patterns: ['No dependency, no printing outside src/cli.js'],
};

const beads: z.input<typeof BlueprintBead>[] = [
  {
    id: 'report-filters',
    title: 'Filter the rows of a report',
    prdRefs: ['US-1-1.AC1', 'US-1-1.AC2', 'US-1-1.AC3', 'US-1-1.AC4'],
    description:
      'Add src/filterRows.js with filterRows(rows, filters) and let buildReport(inventory, filters) in src/report.js use it.\nFilters: category (any letter case), shelf, maxQuantity. All that are given must be passed; undefined is no filter. An unknown name is a TypeError that names it.',
    contextGuidance: guidance,
    acceptanceCriteria: [
      'Filters can be combined',
      'Totals speak of the rows that are left',
      'Without filters a report is what it was',
    ],
    tests: ['test/filterRows.test.js covers each filter, two together and an unknown one'],
    testCommands: ['node --test test/filterRows.test.js test/report.test.js'],
  },
  {
    id: 'csv-encoder',
    title: 'Write rows as CSV',
    prdRefs: ['US-1-2'],
    description:
      'Add src/csv.js with toCsv(columns, rows); a column has a title and value(row). RFC 4180: header, commas, CRLF, quotes where needed, quotes doubled.\nA text that begins with =, +, -, @, tab or CR gets an apostrophe in front, so that no spreadsheet takes it for a formula. Numbers stay as they are.',
    contextGuidance: guidance,
    acceptanceCriteria: ['Commas, quotes and line ends survive', 'A name is never a formula'],
    tests: ['test/csv.test.js covers plain cells, each character that needs quotes, and formulas'],
    testCommands: ['node --test test/csv.test.js'],
  },
  {
    id: 'report-csv',
    title: 'Write a report as CSV',
    prdRefs: ['US-1-2.AC2'],
    description:
      'Add src/formatCsv.js with formatCsv(report): the columns of formatText(), through toCsv() of src/csv.js. Export it from src/index.js and name it in README.md.',
    contextGuidance: guidance,
    acceptanceCriteria: ['The columns are those of the text table', 'A filtered report gives only its rows'],
    tests: ['test/formatCsv.test.js writes a filtered report of the sample data'],
    testCommands: ['node --test test/formatCsv.test.js test/formatText.test.js'],
  },
  {
    id: 'cli-csv-option',
    title: 'Offer CSV and filters on the command line',
    prdRefs: ['US-1-3.AC1', 'US-1-3.AC2'],
    description:
      'Let src/cli.js take --csv, --category, --shelf and --max-quantity and hand them to buildReport() and formatCsv(). Show an example in README.md.',
    contextGuidance: guidance,
    acceptanceCriteria: [
      'The options work together',
      'Without them the output stays as it is',
      'A number that is none is refused',
    ],
    tests: ['test/cli.test.js runs the command with and without the options'],
    testCommands: ['node --test test/cli.test.js'],
  },
];

const expansion: Readonly<
  Record<string, { readonly blocked_by: readonly string[]; readonly targetFiles: readonly string[] }>
> = {
  'report-filters': {
    blocked_by: [],
    targetFiles: ['src/filterRows.js', 'src/report.js', 'test/filterRows.test.js'],
  },
  'csv-encoder': { blocked_by: [], targetFiles: ['src/csv.js', 'test/csv.test.js'] },
  'report-csv': {
    blocked_by: ['report-filters', 'csv-encoder'],
    targetFiles: ['src/formatCsv.js', 'src/index.js', 'README.md', 'test/formatCsv.test.js'],
  },
  'cli-csv-option': {
    blocked_by: ['report-csv'],
    targetFiles: ['src/cli.js', 'README.md', 'test/cli.test.js'],
  },
};

function firstThought(title: string): string {
  return `${title} (first thought)`;
}

export const beadTasks: ScriptInput['tasks'] = {
  'beads-draft': [
    { when: { model: 'alpha' }, text: yamlFence({ beads }) },
    {
      text: yamlFence({
        beads: beads.map((bead) => ({
          ...bead,
          tests: bead.tests?.slice(0, 1),
          title: firstThought(bead.title),
        })),
      }),
    },
  ],
  'beads-refine': [
    {
      text: yamlFence({
        beads,
        changes: beads.map(({ id, title }) => ({
          type: 'modified',
          item_type: 'bead',
          before: { id, title: firstThought(title) },
          after: { id, title },
          inspiration: { alternative_draft: 'Draft 2', item: id },
        })),
      }),
    },
  ],
  'beads-expand': [
    {
      text: beads
        .map(({ id }) => {
          const { blocked_by, targetFiles } = expansion[id] ?? { blocked_by: [], targetFiles: [] };
          return JSON.stringify({
            id,
            issueType: 'feature',
            labels: ['epic:epic-1', 'area:report'],
            dependencies: { blocked_by },
            targetFiles,
          });
        })
        .join('\n'),
    },
  ],
};

export const sampleBeads: readonly {
  readonly id: string;
  readonly title: string;
  readonly testCommands: readonly string[];
}[] = beads.map(({ id, title, testCommands }) => ({ id, title, testCommands: testCommands ?? [] }));
