import {
  editCall,
  ModelScript,
  readCall,
  type ScriptCase,
  type ScriptInput,
  type ToolCall,
  writeCall,
} from './script/modelScript.ts';
import { beadTasks, sampleBeads } from './sample/beads.ts';
import { assumedAnswers, forms, planningTasks, settled } from './sample/planning.ts';
import { yamlFence } from './script/documentText.ts';
import { codingReport, finalTestReport, readyPlan, runCommand } from './generic/execution.ts';
import { writtenFile } from './sample/sample.ts';
import { sampleTicket } from './sample/ticket.ts';

const write = (path: string): ToolCall => writeCall(path, writtenFile(path));

function codes(
  id: string,
  calls: readonly ToolCall[],
  files: readonly string[],
  when: ScriptCase['when'] = {},
  failing?: string,
): ScriptCase {
  const bead = sampleBeads.find((candidate) => candidate.id === id);
  if (!bead) throw new Error(`The sample has no bead ${id}.`);
  return {
    when: { bead: id, ...when },
    calls: [...calls, ...bead.testCommands.map(runCommand)],
    text: codingReport({ ...bead, iteration: 1 }, files, failing),
  };
}

const csvFiles = ['src/csv.js', 'test/csv.test.js'];
/** The first attempt doesn't double quotes; its retry escapes them with a backslash. */
const doubled = `\${text.replaceAll('"', '""')}`;
const naiveCsv = writtenFile('src/csv.js').replace(doubled, '${text}');
const wrong = '`"${text}"`';
const wrongAgain = '`"${text.replaceAll(\'"\', \'\\\\"\')}"`';

const coding: ScriptCase[] = [
  codes(
    'report-filters',
    [
      readCall('src/report.js'),
      write('src/filterRows.js'),
      editCall(
        'src/report.js',
        '/**\n * One row',
        "import { filterRows } from './filterRows.js';\n\n/**\n * One row",
      ),
      editCall(
        'src/report.js',
        ' inventory\n */\nexport function buildReport(inventory) {\n  const rows = inventory.list().map((item) => ({ ...item, valueCents: item.quantity * item.priceCents }));\n',
        ' inventory\n * @param {{ category?: string, shelf?: string, maxQuantity?: number }} filters\n */\nexport function buildReport(inventory, filters = {}) {\n  const all = inventory.list().map((item) => ({ ...item, valueCents: item.quantity * item.priceCents }));\n  const rows = filterRows(all, filters);\n',
      ),
      write('test/filterRows.test.js'),
    ],
    ['src/filterRows.js', 'src/report.js', 'test/filterRows.test.js'],
  ),
  // Iteration 1 claims success, changes the wrong thing, then gives up.
  codes('csv-encoder', [editCall('src/csv.js', wrong, wrongAgain)], csvFiles, {
    iteration: 1,
    continuation: 1,
  }),
  codes(
    'csv-encoder',
    [],
    csvFiles,
    { iteration: 1, continuation: { atLeast: 2 } },
    'Quotes inside a cell still come out wrong.',
  ),
  codes('csv-encoder', [writeCall('src/csv.js', naiveCsv), write('test/csv.test.js')], csvFiles, {
    iteration: 1,
  }),
  codes('csv-encoder', [write('src/csv.js'), write('test/csv.test.js')], csvFiles),
  codes(
    'report-csv',
    [
      readCall('src/index.js'),
      write('src/formatCsv.js'),
      editCall(
        'src/index.js',
        'export { formatText }',
        "export { formatCsv } from './formatCsv.js';\nexport { formatText }",
      ),
      editCall(
        'README.md',
        'Prices are whole cents everywhere; only the formatter turns them into text.\n',
        'Prices are whole cents everywhere; only the formatter turns them into text.\n`buildReport(inventory, { category, shelf, maxQuantity })` keeps the rows that pass every filter given.\n\n`formatText(report)` writes a table, `formatCsv(report)` a CSV file for spreadsheets (RFC 4180); names that look like formulas are made harmless.\n',
      ),
      write('test/formatCsv.test.js'),
    ],
    ['src/formatCsv.js', 'src/index.js', 'README.md', 'test/formatCsv.test.js'],
  ),
  codes(
    'cli-csv-option',
    [
      readCall('src/cli.js'),
      write('src/cli.js'),
      editCall(
        'README.md',
        'stockroom report data/sample.json\n',
        'stockroom report data/sample.json\nstockroom report data/sample.json --csv --category fasteners --max-quantity 10\n',
      ),
      write('test/cli.test.js'),
    ],
    ['src/cli.js', 'README.md', 'test/cli.test.js'],
  ),
];

/** The coder's note about the bead whose first iteration failed. */
export function csvNote(thoughts: string): string {
  return [
    'Goal: src/csv.js writes rows as CSV after RFC 4180. (Scripted note.)',
    'Failure: `node --test test/csv.test.js` fails in "commas, quotes and line ends are quoted, quotes doubled": the cell Tape 2" wide.',
    `Tried: quotes left as they are, then escaped with a backslash. ${thoughts}`,
  ].join('\n\n');
}

/** A person may file other tickets in the sample, too. */
const ofSample: ScriptCase['when'] = { part: 'ticket_details', has: sampleTicket.title };

const executionTasks: ScriptInput['tasks'] = {
  'setup-plan': [
    {
      text: readyPlan(
        'A Node project without dependencies: nothing has to be prepared. (Scripted.)',
        'package.json has no dependencies; its script test is node --test',
        ['npm test'],
      ),
    },
  ],
  coding,
  'coding-note': [
    {
      when: { bead: 'csv-encoder' },
      text: csvNote(
        'CSV knows no backslash.\n\nNext: double every quote inside a quoted cell (replaceAll of one quote by two). Everything else was right.',
      ),
    },
  ],
  'final-test': [
    {
      when: ofSample,
      calls: [
        readCall('src/index.js'),
        write('test/csvExport.test.js'),
        runCommand('node --test test/csvExport.test.js'),
      ],
      text: finalTestReport(['node --test test/csvExport.test.js'], ['test/csvExport.test.js']),
    },
  ],
  'pull-request': [
    {
      when: ofSample,
      text: yamlFence({
        title: 'Export filtered reports as CSV',
        summary: [
          'A report can be filtered by category, shelf and quantity and written as a CSV file. (This text is scripted.)',
        ],
        why: ['Purchasing copied the text report into a spreadsheet by hand every Monday.'],
        what_changed: [
          '`buildReport()` takes filters; without them it behaves as before.',
          '`formatCsv()` writes a report as CSV (RFC 4180) and makes names that look like formulas harmless.',
          '`stockroom report` takes `--csv`, `--category`, `--shelf` and `--max-quantity`.',
        ],
        validation: ['The test commands of all beads and the final test passed.'],
        follow_ups: ['Semicolons for spreadsheets of other countries are not offered.'],
      }),
    },
  ],
};

/** One malformed answer, one gap in the PRD, one bead whose first iteration fails; the rest is generic. */
export const demoScript: ModelScript = ModelScript.parse({
  version: 1,
  name: 'demo',
  tasks: { ...planningTasks, ...beadTasks, ...executionTasks },
  questions: forms,
  settled,
  fullAnswers: assumedAnswers,
});
