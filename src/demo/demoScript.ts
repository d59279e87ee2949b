import {
  type ModelScript as Script,
  ModelScript,
  type ScriptCase,
  type ScriptInput,
  type ToolCall,
} from './script/modelScript.ts';
import { beadTasks, sampleBeads } from './sample/beads.ts';
import { assumedAnswers, forms, planningTasks, settled } from './sample/planning.ts';
import { tagged, yamlFence } from './script/documentText.ts';
import { codingReport, finalTestReport, runCommand } from './generic/execution.ts';
import { writtenFile } from './sample/sample.ts';

const read = (filePath: string): ToolCall => ({ tool: 'read', args: { filePath } });
const write = (filePath: string): ToolCall => ({
  tool: 'write',
  args: { filePath, content: writtenFile(filePath) },
});
const edit = (filePath: string, oldString: string, newString: string): ToolCall => ({
  tool: 'edit',
  args: { filePath, oldString, newString },
});

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
/** The first attempt forgets to double quotes, and in the same session it only finds another wrong way. */
const doubled = `\${text.replaceAll('"', '""')}`;
const naiveCsv = writtenFile('src/csv.js').replace(doubled, '${text}');
const wrong = '`"${text}"`';
const wrongAgain = '`"${text.replaceAll(\'"\', \'\\\\"\')}"`';

const coding: ScriptCase[] = [
  codes(
    'report-filters',
    [
      read('src/report.js'),
      write('src/filterRows.js'),
      edit(
        'src/report.js',
        '/**\n * One row',
        "import { filterRows } from './filterRows.js';\n\n/**\n * One row",
      ),
      edit(
        'src/report.js',
        ' inventory\n */\nexport function buildReport(inventory) {\n  const rows = inventory.list().map((item) => ({ ...item, valueCents: item.quantity * item.priceCents }));\n',
        ' inventory\n * @param {{ category?: string, shelf?: string, maxQuantity?: number }} filters\n */\nexport function buildReport(inventory, filters = {}) {\n  const all = inventory.list().map((item) => ({ ...item, valueCents: item.quantity * item.priceCents }));\n  const rows = filterRows(all, filters);\n',
      ),
      write('test/filterRows.test.js'),
    ],
    ['src/filterRows.js', 'src/report.js', 'test/filterRows.test.js'],
  ),
  // Iteration 1 claims to be done although its tests fail; asked to keep working it changes the wrong thing,
  // then gives up.
  codes('csv-encoder', [edit('src/csv.js', wrong, wrongAgain)], csvFiles, { iteration: 1, continuation: 1 }),
  codes(
    'csv-encoder',
    [],
    csvFiles,
    { iteration: 1, continuation: { atLeast: 2 } },
    'Quotes inside a cell still come out wrong.',
  ),
  codes(
    'csv-encoder',
    [{ tool: 'write', args: { filePath: 'src/csv.js', content: naiveCsv } }, write('test/csv.test.js')],
    csvFiles,
    { iteration: 1 },
  ),
  codes('csv-encoder', [write('src/csv.js'), write('test/csv.test.js')], csvFiles),
  codes(
    'report-csv',
    [
      read('src/index.js'),
      write('src/formatCsv.js'),
      edit(
        'src/index.js',
        'export { formatText }',
        "export { formatCsv } from './formatCsv.js';\nexport { formatText }",
      ),
      edit(
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
      read('src/cli.js'),
      write('src/cli.js'),
      edit(
        'README.md',
        'stockroom report data/sample.json\n',
        'stockroom report data/sample.json\nstockroom report data/sample.json --csv --category fasteners --max-quantity 10\n',
      ),
      write('test/cli.test.js'),
    ],
    ['src/cli.js', 'README.md', 'test/cli.test.js'],
  ),
];

const executionTasks: ScriptInput['tasks'] = {
  'setup-plan': [
    {
      text: tagged('EXECUTION_SETUP_PLAN', {
        summary: 'A Node project without dependencies: nothing has to be prepared. (Scripted.)',
        readiness: {
          status: 'ready',
          actions_required: false,
          evidence: ['package.json has no dependencies; its script test is node --test'],
          gaps: [],
        },
        steps: [],
        project_commands: { prepare: [], test_full: ['npm test'], lint_full: [], typecheck_full: [] },
        cautions: [],
      }),
    },
  ],
  coding,
  'context-wipe': [
    {
      when: { bead: 'csv-encoder' },
      text: [
        'Goal: src/csv.js writes rows as CSV after RFC 4180. (Scripted note.)',
        'Failure: `node --test test/csv.test.js` fails in "commas, quotes and line ends are quoted, quotes doubled": the cell Tape 2" wide.',
        'Tried: quotes left as they are, then escaped with a backslash. CSV knows no backslash.',
        'Next: double every quote inside a quoted cell (replaceAll of one quote by two). Everything else was right.',
      ].join('\n\n'),
    },
  ],
  'final-test': [
    {
      calls: [
        read('src/index.js'),
        write('test/csvExport.test.js'),
        runCommand('node --test test/csvExport.test.js'),
      ],
      text: finalTestReport(['node --test test/csvExport.test.js'], ['test/csvExport.test.js']),
    },
  ],
  'pull-request': [
    {
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

/**
 * The script of the scripted model for the sample ticket: one malformed answer that is repaired (alpha's PRD
 * draft), one gap in the PRD that the first audit finds, one bead whose first iteration fails its tests.
 * Scores, the scan and the rest are generic.
 */
export const demoScript: Script = ModelScript.parse({
  version: 1,
  name: 'demo',
  tasks: { ...planningTasks, ...beadTasks, ...executionTasks },
  questions: forms,
  settled,
  fullAnswers: assumedAnswers,
});
