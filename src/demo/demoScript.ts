import type { ModelScript as Script } from './script/modelScript.ts';
import { ModelScript } from './script/modelScript.ts';
import { beadTasks } from './sample/beads.ts';
import { executionTasks } from './sample/coding.ts';
import { assumedAnswers, forms, planningTasks, settled } from './sample/planning.ts';

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
