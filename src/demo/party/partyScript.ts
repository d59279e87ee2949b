import { demoScript } from '../demoScript.ts';
import { ModelScript, type ScriptCase, type ScriptInput } from '../script/modelScript.ts';
import { reviewTasks, withBug } from './reviewedBead.ts';
import { yamlFence } from '../script/documentText.ts';

const bead = 'csv-encoder';

/** The advice of the analysis of the second bead's failure. */
export const retryHint = 'CSV has no escape character: inside a quoted cell, write each double quote twice.';

/** Lets the coder of the stuck bead succeed only with the hint; else it repeats its mistakes. */
function onlyWithHint(cases: readonly ScriptCase[]): readonly ScriptCase[] {
  const mine = cases.filter(({ when }) => when.bead === bead);
  const told = mine
    .filter(({ when }) => when.iteration === undefined)
    .map((one): ScriptCase => ({ ...one, when: { bead, part: 'retry_hint', has: retryHint } }));
  const untold = mine
    .filter(({ when }) => when.iteration !== undefined)
    .map((one): ScriptCase => ({ ...one, when: { ...one.when, iteration: undefined } }));
  return [...told, ...untold, ...cases.filter((one) => !mine.includes(one))];
}

/** The coder's note doesn't know the cause, the analysis finds it. */
const failureTasks: ScriptInput['tasks'] = {
  'context-wipe': [
    {
      when: { bead },
      text: [
        'Goal: src/csv.js writes rows as CSV after RFC 4180. (Scripted note.)',
        'Failure: `node --test test/csv.test.js` fails in "commas, quotes and line ends are quoted, quotes doubled": the cell Tape 2" wide.',
        'Tried: quotes left as they are, then escaped with a backslash. Neither is right, and I do not know why.',
      ].join('\n\n'),
    },
  ],
  'failure-analysis': [
    {
      when: { bead },
      calls: [{ tool: 'read', args: { filePath: 'src/csv.js' } }],
      text: yamlFence({
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
      }),
    },
  ],
};

/** The advice of a kickoff, which every coder gets. */
export const kickoffAdvice =
  'Run the tests of the modules that call the changed ones as well. (A scripted point.)';

/** The entry that the first ticket hands on to the second one, whose base has the file of this entry. */
export const handedOn =
  'What a report shows of an item is listed twice in formatText(): add a column to both lists.';
/** Its file is on the branch of the first ticket alone, which isn't merged: the second ticket isn't told. */
export const handedOnUnmerged = 'A filter is one more function in the table at the top of its module.';
/** Its file is nowhere: the handoff of the first ticket has no such entry. */
export const invented = 'Exporters are registered in a list that the command line reads.';

const points = (text: string) => ({
  architectural_notes: [],
  implementation_strategy: [],
  testing_approach: [text],
  identified_risks: [],
  key_decisions: [],
  needs_human: '',
});

const adviceTasks: ScriptInput['tasks'] = {
  kickoff: [{ text: yamlFence(points(kickoffAdvice)) }],
  retrospective: [
    {
      text: yamlFence({
        patterns: ['Each module has a test of the same name. (A scripted answer.)'],
        decisions: [],
        gotchas: [],
        went_well: ['The reviewers found what the tests of a bead had missed.'],
        went_badly: ['csv-encoder took two iterations, because nobody had looked up how CSV writes a quote.'],
        handoff: {
          patterns: [
            { text: handedOn, evidence: ['src/formatText.js'] },
            { text: handedOnUnmerged, evidence: ['src/filterRows.js'] },
            { text: invented, evidence: ['src/exporters.js'] },
          ],
          decisions: [],
          gotchas: [],
          files: [],
          test_patterns: [],
          risks: [],
        },
        uat: [],
      }),
    },
  ],
};

/** The context that a person adds meanwhile, and the sentence that it leads to in the README. */
export const addedContext =
  'Spreadsheets here are set to German: say in README.md that the columns are separated by commas.';
export const becauseOfContext = 'Columns are separated by commas, whatever the language of the spreadsheet.';

/** The text that a coder writes beside its report, and that no reviewer may ever see. */
const chatter = [
  'At first I wanted to keep all of it in a class, and gave that up after half an hour of dead ends.',
  'To be honest I am not sure that every edge is covered, but the tests are green and I want to be done.',
].join('\n');
const talkative = new Set(['report-filters', 'csv-encoder']);

function withChatter(one: ScriptCase): ScriptCase {
  return talkative.has(one.when.bead ?? '') ? { ...one, text: `${chatter}\n\n${one.text ?? ''}` } : one;
}

const planned = onlyWithHint((demoScript.tasks['coding'] ?? []).map(withBug).map(withChatter));

/** Before the planned ones: what the coder of the fourth bead does if it was told the context. */
const told = planned
  .filter(({ when }) => when.bead === 'cli-csv-option')
  .map((one): ScriptCase => {
    const args = {
      filePath: 'README.md',
      oldString: '--max-quantity 10\n',
      newString: `--max-quantity 10\n# ${becauseOfContext}\n`,
    };
    return {
      ...one,
      when: { ...one.when, part: 'added_context', has: 'separated by commas' },
      calls: [...one.calls.slice(0, -1), { tool: 'edit', args }, ...one.calls.slice(-1)],
    };
  });

/**
 * The script with `--party`: the sample ticket with a bug that a reviewer finds, a bead that succeeds only
 * after a failure analysis, a coder that follows added context, and a handoff.
 */
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
