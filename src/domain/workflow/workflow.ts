import type { ActionName } from './actions.ts';
import { executionStatuses } from './executionStatuses.ts';
import { planningStatuses } from './planningStatuses.ts';
import type { ActionRow, Row } from './rows.ts';

/**
 * The workflow: one row per status (docs/decisions/008-workflow-is-a-table.md). A new status is a new row,
 * with a handler if its behavior is new. The order follows from the exits.
 */
export const workflow = defineWorkflow({ ...planningStatuses, ...executionStatuses });

/** A status's name. */
export type Status = keyof typeof workflow;

/** A row as data: exits and actions by name. */
export interface StatusRow extends Omit<Row<Status>, 'exits' | 'actions'> {
  readonly exits: Readonly<Record<string, Status | undefined>>;
  readonly actions: Readonly<Partial<Record<ActionName, ActionRow<Status>>>>;
}

/** A status's row. */
export function rowOf(status: Status): StatusRow {
  return workflow[status];
}

type ExitsByStatus<S extends string> = Readonly<
  Record<S, { readonly exits: Readonly<Record<string, S | undefined>> }>
>;

/**
 * The order of statuses, derived from a table's exits; its key order means nothing. An exit goes back if
 * every path from the first status passes its target.
 */
export class Sequence<S extends string> {
  /** Every status: reachable ones in order, then the others by name. */
  readonly all: readonly S[];
  readonly #onward: ReadonlyMap<S, readonly S[]>;
  readonly #back: ReadonlyMap<S, readonly S[]>;

  constructor(table: ExitsByStatus<S>, first: S) {
    const names = (Object.keys(table) as S[]).toSorted();
    const exits = (status: S): readonly S[] =>
      Object.values<S | undefined>(table[status].exits).filter((to) => to !== undefined);
    const around = new Map(names.map((to) => [to, reachable(first, exits, to)]));
    const goesBack = (from: S, to: S): boolean => from === to || around.get(to)?.has(from) !== true;
    this.#onward = new Map(names.map((from) => [from, exits(from).filter((to) => !goesBack(from, to))]));
    this.#back = new Map(
      names.map((from) => [from, exits(from).filter((to) => to !== from && goesBack(from, to))]),
    );
    const path = reachable(first, exits);
    this.all = [...this.#sorted(path), ...names.filter((status) => !path.has(status))];
  }

  /** A status and its possible successors without going back, in order. */
  from(status: S): readonly S[] {
    return this.#sorted(reachable(status, (one) => this.#onward.get(one) ?? []));
  }

  /** More successors come first, then names decide. */
  #sorted(statuses: ReadonlySet<S>): readonly S[] {
    const following = (status: S): number => {
      const onward = reachable(status, (one) => this.#onward.get(one) ?? []).size;
      // An aside comes right after what all its exits go back to.
      const back = onward > 1 ? [] : (this.#back.get(status) ?? []);
      return back.length === 0 ? onward : Math.max(...back.map(following)) - 0.5;
    };
    return [...statuses]
      .map((status) => ({ status, weight: following(status) }))
      .toSorted((one, other) => other.weight - one.weight || (one.status < other.status ? -1 : 1))
      .map(({ status }) => status);
  }
}

/** The order of statuses. */
export const sequence = new Sequence<Status>(workflow, 'DRAFT');

/** Every status, in order. */
export const statuses = sequence.all;

/** True if a ticket in this status is over. */
export function isTerminal(status: Status): boolean {
  return rowOf(status).kind === 'terminal';
}

function defineWorkflow<const T extends { readonly [K in keyof T]: Row<Extract<keyof T, string>> }>(
  rows: T,
): T {
  return rows;
}

function reachable<S>(first: S, next: (status: S) => readonly S[], without?: S): ReadonlySet<S> {
  const seen = new Set<S>();
  const open = first === without ? [] : [first];
  for (let status = open.pop(); status !== undefined; status = open.pop()) {
    if (seen.has(status)) continue;
    seen.add(status);
    open.push(...next(status).filter((one) => one !== without && !seen.has(one)));
  }
  return seen;
}
