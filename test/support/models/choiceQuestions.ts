import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';

const option = (id: string, label: string): { id: string; label: string } => ({ id, label });

export const choiceQuestions: ScriptInput['questions'] = {
  Q01: {
    priority: 'critical',
    rationale: 'Decides what is tested first.',
    answer_type: 'single_choice',
    options: [option('people', 'People who are greeted'), option('programs', 'Other programs')],
  },
  Q02: {
    answer_type: 'multiple_choice',
    options: [option('sum', 'sum.js'), option('readme', 'README.md'), option('all', 'Everything else')],
  },
};
