import * as z from 'zod';
import type { StageRow } from '../../../src/domain/beads/beadStages.ts';

const visit = z.object({ visit: z.number() });
const problem = z.object({ problem: z.string() });

/** The optional first stage is on when `manualQaEnabled` is. */
export const testStages = {
  kickoff: {
    label: 'Kickoff',
    setting: 'manualQaEnabled',
    input: visit,
    output: problem,
    exits: { done: 'code', skipped: 'code' },
  },
  code: {
    label: 'Coding',
    input: visit.extend(problem.shape),
    output: visit,
    exits: { done: 'check', failed: 'rejected' },
  },
  check: {
    label: 'Checking',
    input: visit,
    output: problem,
    exits: { passed: 'accepted', problems: 'code' },
  },
} as const satisfies Readonly<Record<string, StageRow>>;
