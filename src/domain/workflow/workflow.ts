import type { ActionName } from './actions.ts';
import { executionStatuses } from './executionStatuses.ts';
import { planningStatuses } from './planningStatuses.ts';
import type { ActionRow, Row } from './rows.ts';
import { Sequence } from './sequence.ts';

/**
 * The workflow: one row per status (docs/decisions/008-workflow-is-a-table.md). To add a status is to add a
 * row, and a handler if the behavior is new. The order of the rows means nothing: what follows what is
 * derived from the exits.
 */
export const workflow = defineWorkflow({ ...planningStatuses, ...executionStatuses });

/** The name of a status. */
export type Status = keyof typeof workflow;

/** A row read as data: every exit and action by name. */
export interface StatusRow extends Omit<Row<Status>, 'exits' | 'actions'> {
  readonly exits: Readonly<Record<string, Status | undefined>>;
  readonly actions: Readonly<Partial<Record<ActionName, ActionRow<Status>>>>;
}

/** The row of a status. */
export function rowOf(status: Status): StatusRow {
  return workflow[status];
}

/** The order of the statuses, and what follows each. */
export const sequence = new Sequence<Status>(workflow, 'DRAFT');

/** Every status, in the order in which a ticket passes them. */
export const statuses = sequence.all;

/** Returns true if a ticket in this status is over. */
export function isTerminal(status: Status): boolean {
  return rowOf(status).kind === 'terminal';
}

function defineWorkflow<const T extends { readonly [K in keyof T]: Row<Extract<keyof T, string>> }>(
  rows: T,
): T {
  return rows;
}
