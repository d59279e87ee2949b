import { codingReport, finalTestReport, readyPlan, runCommand } from '../../src/demo/generic/execution.ts';
import { tagged, yamlFence } from '../../src/demo/script/documentText.ts';
import {
  editCall,
  ModelScript,
  readCall,
  type ScriptCase,
  type ToolCall,
  writeCall,
} from '../../src/demo/script/modelScript.ts';

/** Of the issue, which the ticket has to have word for word. */
export const criteria = [
  'With `--low 5`, a report shows only items of which there are at most 5 pieces.',
  'The scarcest item comes first; items of which there are equally many are sorted by SKU.',
  'Without `--low`, a report stays exactly as it is.',
];

export const issue = {
  number: 12,
  title: 'Show what runs low',
  body: `Every Monday we read the whole report to find out what to order.

## Acceptance criteria

${criteria.map((one) => `- [ ] ${one}`).join('\n')}
`,
};

/** A reviewer's comment that becomes a fix. */
export const fixed = {
  path: 'src/cli.js',
  text: '`--low few` prints an empty table. Please refuse what is not a whole number, and name it.',
};
/** A reviewer's question, which needs no code. */
export const answered = {
  path: 'src/lowStock.js',
  text: 'Why `<=`? I would have expected `<`.',
  reply: 'The issue says "at most 5 pieces", so 5 pieces are shown.',
};

const lowStock = `/** Rows of which there are at most \`most\` pieces, the scarcest first; equally many are sorted by SKU. */
export function lowStock(rows, most) {
  return rows
    .filter(({ quantity }) => quantity <= most)
    .sort((a, b) => a.quantity - b.quantity || (a.sku < b.sku ? -1 : 1));
}
`;

const lowStockTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowStock } from '../src/lowStock.js';

test('the scarcest comes first, and equally many are sorted by SKU', () => {
  const rows = [
    { sku: 'A', quantity: 6 },
    { sku: 'C', quantity: 5 },
    { sku: 'B', quantity: 5 },
    { sku: 'D', quantity: 0 },
  ];
  assert.deepEqual(lowStock(rows, 5).map(({ sku }) => sku), ['D', 'B', 'C']);
});
`;

const optionTest = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const report = (...args) =>
  execFileSync(process.execPath, ['src/cli.js', 'report', 'data/sample.json', ...args], { encoding: 'utf8' });

test('--low shows what runs low, and the whole report stays', () => {
  assert.match(report('--low', '5'), /TAPE-2[^]*NUT-M8[^]*\\n2 items, 4 pieces/);
  assert.match(report(), /4 items, 132 pieces/);
});
`;

const refusalTest = `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('what is no whole number is refused by name', () => {
  const args = ['src/cli.js', 'report', 'data/sample.json', '--low', 'few'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /whole number, not "few"/);
});
`;

const finalTest = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('what runs low is reported with its totals', () => {
  const args = ['src/cli.js', 'report', 'data/sample.json', '--low', '4'];
  assert.match(execFileSync(process.execPath, args, { encoding: 'utf8' }), /2 items, 4 pieces, worth 0\\.28/);
});
`;

interface Planned {
  readonly id: string;
  readonly title: string;
  readonly criteria: readonly string[];
  readonly command: string;
  readonly files: readonly string[];
  readonly after?: string;
}

const beads = {
  rows: {
    id: 'low-stock',
    title: 'Choose the rows that run low',
    criteria: ['lowStock(rows, 5) answers the rows with at most 5 pieces, the scarcest first'],
    command: 'node --test test/lowStock.test.js',
    files: ['src/lowStock.js', 'test/lowStock.test.js'],
  },
  option: {
    id: 'low-option',
    title: 'Offer --low on the command line',
    criteria: ['`stockroom report FILE --low 5` shows what runs low, with its own totals'],
    command: 'node --test test/lowOption.test.js',
    files: ['src/cli.js', 'test/lowOption.test.js'],
    after: 'low-stock',
  },
  readme: {
    id: 'fix-readme-low',
    title: 'Say in README.md what --low does',
    criteria: ['README.md names --low'],
    command: 'grep -q -- --low README.md',
    files: ['README.md'],
  },
  refusal: {
    id: 'fix-refuse-words',
    title: 'Refuse a --low that is no whole number',
    criteria: ['`--low few` ends with exit code 1 and an error that names "few"'],
    command: 'node --test test/lowRefusal.test.js',
    files: ['src/cli.js', 'test/lowRefusal.test.js'],
  },
} satisfies Readonly<Record<string, Planned>>;

/** Beads of the fixes, by what they fix. */
export const fixBeads = { check: beads.readme.id, comment: beads.refusal.id };

function bead({ id, title, criteria: met, command, files, after }: Planned, more: object): object {
  return {
    id,
    title,
    description: `${title}. (Scripted.)`,
    contextGuidance: { patterns: [], anti_patterns: [] },
    acceptanceCriteria: met,
    tests: ['Its command fails without it'],
    testCommands: [command],
    dependencies: { blocked_by: after === undefined ? [] : [after] },
    targetFiles: files,
    ...more,
  };
}

const plan = tagged('QUICK_PLAN', {
  prd: {
    product: { problem_statement: 'What runs low is lost in the report.', target_users: ['Purchasing'] },
    scope: { in_scope: ['An option --low of the report'], out_of_scope: [] },
    technical_requirements: { architecture_constraints: ['No new dependencies'] },
    epics: [
      {
        id: 'EPIC-1',
        title: issue.title,
        objective: 'A report of what has to be ordered.',
        implementation_steps: [],
        user_stories: [
          {
            id: 'US-1-1',
            title: issue.title,
            interview_refs: ['ticket'],
            acceptance_criteria: criteria,
            implementation_steps: [],
            verification: { required_commands: [] },
          },
        ],
      },
    ],
    risks: [],
  },
  beads: [beads.rows, beads.option].map((one) =>
    bead(one, { prdRefs: ['US-1-1'], issueType: 'feature', labels: ['area:report'] }),
  ),
});

function fixPlan(planned: Planned): string {
  return yamlFence({ beads: [bead(planned, { prdRefs: [], issueType: 'qa-fix', labels: ['qa-fix'] })] });
}

function coded(planned: Planned, ...calls: readonly ToolCall[]): ScriptCase {
  return {
    when: { bead: planned.id },
    calls: [...calls, runCommand(planned.command)],
    text: codingReport({ ...planned, iteration: 1, testCommands: [planned.command] }, planned.files),
  };
}

const parsing = `const { positionals } = parseArgs({ allowPositionals: true, options: {} });`;
const printing = 'console.log(formatText(buildReport(await loadInventory(file))));';
const chosen = 'const most = Number(values.low ?? Infinity);';
const refusing = `if (values.low !== undefined && !/^\\d+$/.test(values.low))
    throw new Error(\`--low takes a whole number, not "\${values.low}".\`);
  ${chosen}`;

/** `--forge`: plans the issue, and fixes a red check and a comment. */
export const forgeScript: ModelScript = ModelScript.parse({
  version: 1,
  name: 'forge',
  tasks: {
    'quick-plan': [{ text: plan }],
    'setup-plan': [{ text: readyPlan('Nothing has to be prepared.', 'No dependencies', ['npm test']) }],
    coding: [
      coded(
        beads.rows,
        writeCall('src/lowStock.js', lowStock),
        writeCall('test/lowStock.test.js', lowStockTest),
      ),
      coded(
        beads.option,
        editCall(
          'src/cli.js',
          parsing,
          parsing
            .replace('{ positionals }', '{ positionals, values }')
            .replace('{} }', "{ low: { type: 'string' } } }"),
        ),
        editCall('src/cli.js', "'usage: stockroom report FILE'", "'usage: stockroom report FILE [--low N]'"),
        editCall(
          'src/cli.js',
          "import { buildReport } from './report.js';",
          "import { lowStock } from './lowStock.js';\nimport { buildReport, totalsOf } from './report.js';",
        ),
        editCall(
          'src/cli.js',
          printing,
          `const report = buildReport(await loadInventory(file));\n  ${chosen}\n  const rows = most === Infinity ? report.rows : lowStock(report.rows, most);\n  console.log(formatText({ rows, totals: totalsOf(rows) }));`,
        ),
        writeCall('test/lowOption.test.js', optionTest),
      ),
      coded(
        beads.readme,
        editCall(
          'README.md',
          'stockroom report data/sample.json\n',
          'stockroom report data/sample.json\nstockroom report data/sample.json --low 5   # what runs low, the scarcest first\n',
        ),
      ),
      coded(
        beads.refusal,
        editCall('src/cli.js', chosen, refusing),
        writeCall('test/lowRefusal.test.js', refusalTest),
      ),
    ],
    'qa-fix': [
      {
        when: { part: 'observations', has: '--low few' },
        calls: [readCall('src/cli.js')],
        text: fixPlan(beads.refusal),
      },
      { calls: [readCall('README.md')], text: fixPlan(beads.readme) },
    ],
    'final-test': [
      {
        calls: [
          writeCall('test/lowReport.test.js', finalTest),
          runCommand('node --test test/lowReport.test.js'),
        ],
        text: finalTestReport(['node --test test/lowReport.test.js'], ['test/lowReport.test.js']),
      },
    ],
  },
});
