import { iterationOfKey } from '../beads/iteration.ts';
import type { Status } from '../workflow/workflow.ts';
import { nothingSpent, plus, type Spent, type SpentByScope } from './budgets.ts';

/** The resources of a run. `parent`: that of an iteration, whose id is the parent's with its key. */
export interface RunSpending extends Spent {
  readonly run: string;
  readonly parent: string | null;
  readonly status: Status;
}

/** Returns what a ticket used: in all, in one status, and for one bead, if it has one. */
export function spentIn(
  runs: readonly RunSpending[],
  { status, bead }: { readonly status: Status; readonly bead: string | undefined },
): SpentByScope {
  const sum = (some: readonly RunSpending[]): Spent => some.reduce<Spent>(plus, nothingSpent);
  return {
    ticket: sum(runs),
    phase: sum(runs.filter((run) => run.status === status)),
    ...(bead === undefined ? {} : { bead: sum(runs.filter((run) => beadOf(run) === bead)) }),
  };
}

/** The bead that a run is an iteration of. */
export function beadOf({ run, parent }: Pick<RunSpending, 'run' | 'parent'>): string | undefined {
  return parent === null ? undefined : iterationOfKey(run.slice(parent.length + 1))?.bead;
}
