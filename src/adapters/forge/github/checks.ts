import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { type CheckSummary, mostFailing } from '../../../domain/forge/forgeLook.ts';

/** A check run: what counts. */
export const CheckRun = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
});

/** A page of the check runs of a commit, the latest of each name. */
export const CheckRuns = z.object({ total_count: z.number().int(), check_runs: z.array(CheckRun) });

/** A classic status: what counts. */
export const ClassicStatus = z.object({ context: z.string(), state: z.string() });

/** A page of the classic statuses of a commit, the latest of each context. */
export const Statuses = z.object({ total_count: z.number().int(), statuses: z.array(ClassicStatus) });

/** Names are people's, and longer ones say no more. */
export const longestName = 200;

type Outcome = 'passed' | 'failed' | 'pending';

/** Counts both kinds of checks by their last outcomes. `unread`: more of them, which weren't read. */
export function checkSummary(
  runs: readonly z.infer<typeof CheckRun>[],
  statuses: readonly z.infer<typeof ClassicStatus>[],
  unread: number,
): CheckSummary {
  const all = [
    ...runs.map((run) => ({ id: run.id, name: run.name, outcome: outcomeOfRun(run) })),
    ...statuses.map((status) => ({ id: null, name: status.context, outcome: outcomeOfStatus(status) })),
  ];
  const count = (wanted: Outcome): number => all.filter(({ outcome }) => outcome === wanted).length;
  const failed = all.filter(({ outcome }) => outcome === 'failed');
  return {
    passed: count('passed'),
    failed: count('failed'),
    pending: count('pending') + unread,
    failing: failed
      .map(({ name }) => oneLine(name, longestName))
      .toSorted()
      .slice(0, mostFailing),
    failedRuns: failed
      .flatMap(({ id }) => id ?? [])
      .toSorted((a, b) => a - b)
      .slice(0, mostFailing),
  };
}

/** Whatever doesn't stop a merge has passed. What GitHub may add one day is a failure, so that it is seen. */
export function outcomeOfRun({
  status,
  conclusion,
}: Pick<z.infer<typeof CheckRun>, 'status' | 'conclusion'>): Outcome {
  if (status !== 'completed') return 'pending';
  return conclusion === 'success' || conclusion === 'neutral' || conclusion === 'skipped'
    ? 'passed'
    : 'failed';
}

/** The outcome of a classic status. */
export function outcomeOfStatus({ state }: Pick<z.infer<typeof ClassicStatus>, 'state'>): Outcome {
  return state === 'success' ? 'passed' : state === 'pending' ? 'pending' : 'failed';
}
