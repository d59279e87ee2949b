import { yamlFence } from '../script/documentText.ts';
import type { ScriptInput } from '../script/modelScript.ts';

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

/** Before a bead and after the ticket. */
export const adviceTasks: ScriptInput['tasks'] = {
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
