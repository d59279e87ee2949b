import { KickoffAnswer } from '../../src/domain/beads/kickoff.ts';
import { RetrospectiveAnswer } from '../../src/domain/retrospective/answer.ts';
import { runCommand, statusReport } from '../../src/demo/generic/execution.ts';
import { demoScript, writtenFile } from '../../src/demo/sample/sample.ts';
import {
  editCall,
  ModelScript,
  readCall,
  type ScriptCase,
  type ScriptInput,
  writeCall,
} from '../../src/demo/script/modelScript.ts';

const reviewed = 'report-filters';
const filters = {
  source: 'src/filterRows.js',
  test: 'test/filterRows.test.js',
  command: 'node --test test/filterRows.test.js test/report.test.js',
} as const;
const right = '=> value !== undefined)';
const wrong = '=> value)';
const zeroTest = `  assert.deepEqual(skus(buildReport(inventory, { shelf: 'C3', maxQuantity: 0 })), ['TAPE-2']);\n`;
/** The bug: a quantity of 0 counts as no filter, and the coder's tests never ask for 0. */
export const buggyFilters = writtenFile(filters.source).replace(right, wrong);
const blindTest = writtenFile(filters.test).replace(zeroTest, '');
const showingTest = `${blindTest}\ntest('a quantity of 0 is a filter', () => {\n${zeroTest}});\n`;

function withBug(one: ScriptCase): ScriptCase {
  if (one.when.bead !== reviewed) return one;
  const calls = one.calls.map((call) => {
    if (call.args['filePath'] === filters.source) return writeCall(filters.source, buggyFilters);
    return call.args['filePath'] === filters.test ? writeCall(filters.test, blindTest) : call;
  });
  return { ...one, calls };
}

/** One persona proves the bug, another finds something small to vote on; then the bug is fixed. */
const reviewTasks: ScriptInput['tasks'] = {
  review: [
    {
      when: { bead: reviewed, part: 'persona', has: 'Murat' },
      answer: {
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
      },
    },
    {
      when: { bead: reviewed, part: 'persona', has: 'Amelia' },
      answer: {
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
      },
    },
  ],
  fix: [
    {
      when: { bead: reviewed },
      calls: [
        editCall(filters.source, wrong, right),
        writeCall(filters.test, showingTest),
        runCommand(filters.command),
      ],
      text: statusReport({ id: reviewed }),
    },
  ],
};

const stuck = 'csv-encoder';

export const retryHint = 'CSV has no escape character: inside a quoted cell, write each double quote twice.';

/** The stuck bead succeeds only with the hint. */
function onlyWithHint(cases: readonly ScriptCase[]): readonly ScriptCase[] {
  const mine = cases.filter(({ when }) => when.bead === stuck);
  const told = mine
    .filter(({ when }) => when.iteration === undefined)
    .map((one): ScriptCase => ({ ...one, when: { bead: stuck, part: 'retry_hint', has: retryHint } }));
  const untold = mine
    .filter(({ when }) => when.iteration !== undefined)
    .map((one): ScriptCase => ({ ...one, when: { ...one.when, iteration: undefined } }));
  return [...told, ...untold, ...cases.filter((one) => !mine.includes(one))];
}

const unsure = (demoScript.tasks['coding-note']?.[0]?.text ?? '').replace(
  /CSV knows[^]*/,
  'Neither is right, and I do not know why.',
);

/** The note doesn't know the cause; the analysis finds it. */
const failureTasks: ScriptInput['tasks'] = {
  'coding-note': [
    {
      when: { bead: stuck },
      text: unsure,
    },
  ],
  'failure-analysis': [
    {
      when: { bead: stuck },
      calls: [readCall('src/csv.js')],
      answer: {
        assessments: {
          architecture: 'Fits: one module encodes cells, and no caller has to know how.',
          implementation:
            'A quote inside of a quoted cell gets a backslash, which CSV takes for a character of the text.',
          requirements: 'Clear: the bead names RFC 4180, and that quotes are doubled.',
          environment: 'Nothing is missing.',
        },
        rootCause: 'Quotes inside of quoted cells are escaped with a backslash instead of being doubled.',
        plan: ['Double each quote in encodeCell() before the cell is quoted.'],
        recommendation: 'retry',
        rationale: 'One replacement is wrong, and everything else passes.',
        retryHint,
        confidence: 0.9,
      },
    },
  ],
};

export const kickoffAdvice =
  'Run the tests of the modules that call the changed ones as well. (A scripted point.)';

/** Its file is in the base of the second ticket. */
export const handedOn =
  'What a report shows of an item is listed twice in formatText(): add a column to both lists.';
/** Its file is only on the unmerged branch of the first ticket. */
export const handedOnUnmerged = 'A filter is one more function in the table at the top of its module.';
/** Its file is nowhere. */
export const invented = 'Exporters are registered in a list that the command line reads.';

const adviceTasks: ScriptInput['tasks'] = {
  kickoff: [{ answer: KickoffAnswer.parse({ testing_approach: [kickoffAdvice] }) }],
  retrospective: [
    {
      answer: RetrospectiveAnswer.parse({
        patterns: ['Each module has a test of the same name. (A scripted answer.)'],
        went_well: ['The reviewers found what the tests of a bead had missed.'],
        went_badly: ['csv-encoder took two iterations, because nobody had looked up how CSV writes a quote.'],
        handoff: {
          patterns: [
            { text: handedOn, evidence: ['src/formatText.js'] },
            { text: handedOnUnmerged, evidence: ['src/filterRows.js'] },
            { text: invented, evidence: ['src/exporters.js'] },
          ],
        },
      }),
    },
  ],
};

/** A person adds it while the first ticket runs. */
export const addedContext =
  'Spreadsheets here are set to German: say in README.md that the columns are separated by commas.';
export const becauseOfContext = 'Columns are separated by commas, whatever the language of the spreadsheet.';

/** No reviewer may ever see it. */
const chatter = [
  'At first I wanted to keep all of it in a class, and gave that up after half an hour of dead ends.',
  'To be honest I am not sure that every edge is covered, but the tests are green and I want to be done.',
].join('\n');
const talkative = new Set([reviewed, stuck]);

function withChatter(one: ScriptCase): ScriptCase {
  return talkative.has(one.when.bead ?? '') ? { ...one, text: chatter } : one;
}

const planned = onlyWithHint((demoScript.tasks['coding'] ?? []).map(withBug).map(withChatter));

/** The coder of the fourth bead, if it was told the context. */
const told = planned
  .filter(({ when }) => when.bead === 'cli-csv-option')
  .map((one): ScriptCase => {
    const edit = editCall('README.md', '--max-quantity 10\n', `--max-quantity 10\n# ${becauseOfContext}\n`);
    return {
      ...one,
      when: { ...one.when, part: 'added_context', has: 'separated by commas' },
      calls: [...one.calls.slice(0, -1), edit, ...one.calls.slice(-1)],
    };
  });

/** `--party`: a review that finds a bug, a failure analysis, added context and a handoff. */
export const partyScript: ModelScript = ModelScript.parse({
  ...demoScript,
  name: 'party',
  tasks: {
    ...demoScript.tasks,
    coding: [...told, ...planned],
    ...reviewTasks,
    ...failureTasks,
    ...adviceTasks,
  },
});
