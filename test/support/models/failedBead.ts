import { yamlFence } from '../../../src/demo/script/documentText.ts';
import { codingReport } from '../../../src/demo/generic/execution.ts';

const said = 'Read.';

export function analysisText(
  fields: Readonly<Record<string, unknown>> & { readonly recommendation: string },
): string {
  return yamlFence({
    assessments: { architecture: said, implementation: said, requirements: said, environment: said },
    rootCause: 'Nothing was written.',
    plan: ['Write the module.'],
    rationale: said,
    retryHint: '',
    confidence: 0.9,
    ...fields,
  });
}

/** Does nothing in this iteration, and says so. */
export function givesUp(bead: string, iteration = 1) {
  const facts = { id: bead, title: `Note ${bead}`, iteration, testCommands: [] };
  return { when: { bead, iteration }, calls: [], text: codingReport(facts, [], 'It did nothing.') };
}

/** Beads fail at once, and are analyzed by one persona of another model. */
export const failingFast = [
  '--review',
  'off',
  '--reviewer',
  'scripted/beta',
  '--persona',
  'winston',
  '--continuations',
  '0',
  '--failure-analysis',
] as const;
