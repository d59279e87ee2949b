import { yamlFence } from '../script/documentText.ts';
import { codingReport, runCommand } from '../generic/execution.ts';
import type { ScriptCase, ScriptInput, ToolCall } from '../script/modelScript.ts';
import { sampleBeads } from '../sample/beads.ts';
import { writtenFile } from '../sample/sample.ts';

const bead = 'report-filters';
const filters = {
  source: 'src/filterRows.js',
  test: 'test/filterRows.test.js',
  command: 'node --test test/filterRows.test.js test/report.test.js',
} as const;
const right = '=> value !== undefined)';
const wrong = '=> value)';
const zeroTest = `  assert.deepEqual(skus(buildReport(inventory, { shelf: 'C3', maxQuantity: 0 })), ['TAPE-2']);\n`;
/** The bug: a quantity of 0 is taken for no filter. The coder's own tests never ask for 0. */
export const buggyFilters = writtenFile(filters.source).replace(right, wrong);
const blindTest = writtenFile(filters.test).replace(zeroTest, '');
const showingTest = `${blindTest}\ntest('a quantity of 0 is a filter', () => {\n${zeroTest}});\n`;

const write = (filePath: string, content: string): ToolCall => ({
  tool: 'write',
  args: { filePath, content },
});

/** The coder of the reviewed bead makes the bug. Every other case stays as it is. */
export function withBug(one: ScriptCase): ScriptCase {
  if (one.when.bead !== bead) return one;
  const calls = one.calls.map((call) => {
    if (call.args['filePath'] === filters.source) return write(filters.source, buggyFilters);
    return call.args['filePath'] === filters.test ? write(filters.test, blindTest) : call;
  });
  return { ...one, calls };
}

/** One persona proves the bug, another finds something small, to be voted on; then the bug is fixed. */
export const reviewTasks: ScriptInput['tasks'] = {
  review: [
    {
      when: { bead, part: 'persona', has: 'Murat' },
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
    {
      when: { bead, part: 'persona', has: 'Amelia' },
      text: yamlFence({
        checked: ['Names, and what callers see of an error.'],
        findings: [
          {
            severity: 'low',
            category: 'style',
            file: filters.source,
            line: 2,
            claim:
              'The letter case of both sides is changed for each row, although the wanted category stays the same.',
            evidence: 'category: (row, wanted) => row.category.toLowerCase() === wanted.toLowerCase(),',
            suggestedFix: 'Change that of the wanted category once.',
            confidence: 0.6,
          },
        ],
      }),
    },
  ],
  fix: [
    {
      when: { bead },
      calls: [
        { tool: 'edit', args: { filePath: filters.source, oldString: wrong, newString: right } },
        write(filters.test, showingTest),
        runCommand(filters.command),
      ],
      text: codingReport(
        {
          id: bead,
          title: sampleBeads.find(({ id }) => id === bead)?.title ?? '',
          iteration: 1,
          testCommands: [filters.command],
        },
        [],
      ).replace(/^<DEV_RECORD>[^]*<\/DEV_RECORD>\n/, ''),
    },
  ],
};
