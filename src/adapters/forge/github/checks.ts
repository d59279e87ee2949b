import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { type CheckSummary, mostFailing } from '../../../domain/forge/forgeLook.ts';

const CheckRun = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
});

/** A page of the check runs of a commit, the latest of each name. */
export const CheckRuns = z.object({ check_runs: z.array(CheckRun) });

const ClassicStatus = z.object({ context: z.string(), state: z.string() });

/** A page of the classic statuses of a commit, the latest of each context. */
export const Statuses = z.object({ statuses: z.array(ClassicStatus) });

type Outcome = 'passed' | 'failed' | 'pending';

/** Counts both kinds of checks by their last outcomes. */
export function checkSummary(
  runs: readonly z.infer<typeof CheckRun>[],
  statuses: readonly z.infer<typeof ClassicStatus>[],
): CheckSummary {
  const all = [
    ...runs.map(({ name, status, conclusion }) => ({ name, outcome: outcomeOfRun(status, conclusion) })),
    ...statuses.map(({ context, state }) => ({ name: context, outcome: outcomeOfStatus(state) })),
  ];
  const count = (wanted: Outcome): number => all.filter(({ outcome }) => outcome === wanted).length;
  const failing = all.flatMap(({ name, outcome }) => (outcome === 'failed' ? [oneLine(name, 200)] : []));
  return {
    passed: count('passed'),
    failed: count('failed'),
    pending: count('pending'),
    failing: failing.toSorted().slice(0, mostFailing),
  };
}

/** Whatever doesn't stop a merge has passed. What GitHub may add one day is a failure, so that it is seen. */
function outcomeOfRun(status: string, conclusion: string | null): Outcome {
  if (status !== 'completed') return 'pending';
  return conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped'
    ? 'passed'
    : 'failed';
}

function outcomeOfStatus(state: string): Outcome {
  return state === 'success' ? 'passed' : state === 'pending' ? 'pending' : 'failed';
}
