import { demoScript } from '../demoScript.ts';
import { ModelScript, type ScriptCase } from '../script/modelScript.ts';
import { adviceTasks } from './handedOn.ts';
import { reviewTasks, withBug } from './reviewedBead.ts';
import { failureTasks, onlyWithHint } from './stuckBead.ts';

/**
 * The context that a person adds while the second bead is being coded, and the resulting sentence in the
 * fourth one's part of the README.
 */
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
 * The script of the scripted model with `--party`: the sample ticket, with a bug that the bead's own tests
 * miss and a reviewer finds, a bead that succeeds only after a failure analysis, a coder that follows the
 * context that a person adds meanwhile, and a retrospective that hands something on.
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
