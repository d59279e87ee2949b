import { codingReport, runCommand } from './generic/execution.ts';
import { yamlFence } from './documentText.ts';
import { demoScript } from './demoScript.ts';
import { ModelScript, type ScriptInput, type ToolCall } from './modelScript.ts';
import { sampleBeads } from './sample/beads.ts';
import { writtenFiles } from './sample/writtenFiles.ts';

/** What a person adds while the second bead is being coded, and what the fourth one's part of the README says because of it. */
export const addedContext = 'Spreadsheets here are set to German: say in README.md that the columns are separated by commas.';
export const becauseOfContext = 'Columns are separated by commas, whatever the language of the spreadsheet.';

const filters = {
  source: 'src/filterRows.js',
  test: 'test/filterRows.test.js',
  command: 'node --test test/filterRows.test.js test/report.test.js',
} as const;
const right = '=> value !== undefined)';
const wrong = '=> value)';
const zeroTest = `  assert.deepEqual(skus(buildReport(inventory, { shelf: 'C3', maxQuantity: 0 })), ['TAPE-2']);\n`;
/** The bug: a quantity of 0 is taken for no filter. The coder's own tests never ask for 0. */
export const buggyFilters = writtenFiles[filters.source].replace(right, wrong);
const blindTest = writtenFiles[filters.test].replace(zeroTest, '');
const showingTest = `${blindTest}\ntest('a quantity of 0 is a filter', () => {\n${zeroTest}});\n`;

const write = (filePath: string, content: string): ToolCall => ({ tool: 'write', args: { filePath, content } });

/** What a coder says beside its report, and no reviewer may ever see. */
const chatter = [
  'At first I wanted to keep the filters in a class, and gave that up after half an hour of dead ends.',
  'To be honest I am not sure that every edge is covered, but the tests are green and I want to be done.',
].join('\n');

const filterBead = sampleBeads.find(({ id }) => id === 'report-filters');
const planned = (demoScript.tasks['coding'] ?? []).map((one) => {
  if (one.when.bead !== 'report-filters') return one;
  const calls = one.calls.map((call) =>
    call.args['filePath'] === filters.source
      ? write(filters.source, buggyFilters)
      : call.args['filePath'] === filters.test
        ? write(filters.test, blindTest)
        : call,
  );
  return { ...one, calls, text: `${chatter}\n\n${one.text ?? ''}` };
});

const readmeCase = planned.find(({ when }) => when.bead === 'cli-csv-option');
const told: ScriptInput['tasks'][string] = readmeCase
  ? [
      {
        ...readmeCase,
        when: { ...readmeCase.when, part: 'added_context', has: 'separated by commas' },
        calls: [
          ...readmeCase.calls.slice(0, -1),
          {
            tool: 'edit',
            args: { filePath: 'README.md', oldString: '--max-quantity 10\n', newString: `--max-quantity 10\n# ${becauseOfContext}\n` },
          },
          ...readmeCase.calls.slice(-1),
        ],
      },
    ]
  : [];

/**
 * What the scripted model plays with `--party`: the sample ticket, with a bug that the bead's own tests miss and a reviewer finds, a bead that only a
 * failure analysis brings on, and a coder that follows what a person adds meanwhile.
 */
export const partyScript: ModelScript = ModelScript.parse({
  ...demoScript,
  name: 'party',
  tasks: {
    ...demoScript.tasks,
    coding: [...told, ...planned],
    review: [
      {
        when: { bead: 'report-filters' },
        text: yamlFence({
          checked: ['Each filter, at the edges of what it takes.'],
          findings: [
            {
              severity: 'high',
              category: 'correctness',
              file: filters.source,
              line: 16,
              claim: 'A maxQuantity of 0 filters nothing: 0 is taken for a filter that was not given.',
              evidence: 'const active = Object.entries(wanted).filter(([, value]) => value);',
              suggestedFix: 'Leave out only what is undefined.',
              confidence: 0.95,
              test: { file: filters.test, content: showingTest, command: filters.command },
            },
          ],
        }),
      },
    ],
    fix: [
      {
        when: { bead: 'report-filters' },
        calls: [
          { tool: 'edit', args: { filePath: filters.source, oldString: wrong, newString: right } },
          write(filters.test, showingTest),
          runCommand(filters.command),
        ],
        text: codingReport(
          { id: 'report-filters', title: filterBead?.title ?? '', iteration: 1, testCommands: [filters.command] },
          [],
        ).replace(/^<DEV_RECORD>[^]*<\/DEV_RECORD>\n/, ''),
      },
    ],
  },
});
