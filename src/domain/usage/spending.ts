import { iterationOfKey } from '../beads/iteration.ts';
import type { Status } from '../workflow/workflow.ts';
import { nothingSpent, plus, type Spent, type SpentByScope } from './budgets.ts';

/** A run's use. `parent`: of an iteration, whose id is the parent's with its key. */
export interface RunSpending extends Spent {
  readonly run: string;
  readonly parent: string | null;
  readonly status: Status;
}

/** A ticket's use: total, in a status, and for a bead if given. */
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

/** An iteration's bead. */
export function beadOf({ run, parent }: Pick<RunSpending, 'run' | 'parent'>): string | undefined {
  return parent === null ? undefined : iterationOfKey(run.slice(parent.length + 1))?.bead;
}
