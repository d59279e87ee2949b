import { yamlFence } from '../script/documentText.ts';
import type { ScriptCase, ScriptInput } from '../script/modelScript.ts';

const bead = 'csv-encoder';

/** The advice of the analysis of the second bead's failure. */
export const retryHint = 'CSV has no escape character: inside a quoted cell, write each double quote twice.';

/**
 * Lets the coder of the stuck bead succeed only if it is told the hint: without it, each iteration makes the
 * same mistakes.
 */
export function onlyWithHint(cases: readonly ScriptCase[]): readonly ScriptCase[] {
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
export const failureTasks: ScriptInput['tasks'] = {
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
