/**
 * The part of a workflow table that the order of statuses is read from: the statuses that each handler's
 * exits lead to.
 */
export type ExitsByStatus<S extends string> = Readonly<
  Record<S, { readonly exits: Readonly<Record<string, S | undefined>> }>
>;

/**
 * The order in which a ticket passes statuses, derived from the exits of a table; the order of its keys means
 * nothing. An exit goes back when every path from the first status passes where it leads, as a rejected
 * document does that is drafted again.
 */
export class Sequence<S extends string> {
  /**
   * Every status: those that exits lead to in the order in which a ticket passes them, then the others by
   * name.
   */
  readonly all: readonly S[];
  readonly #onward: ReadonlyMap<S, readonly S[]>;
  readonly #back: ReadonlyMap<S, readonly S[]>;

  constructor(table: ExitsByStatus<S>, first: S) {
    const names = (Object.keys(table) as S[]).toSorted();
    const exits = (status: S): readonly S[] =>
      Object.values<S | undefined>(table[status].exits).filter((to) => to !== undefined);
    const goesBack = (from: S, to: S): boolean => from === to || !reachable(first, exits, to).has(from);
    this.#onward = new Map(names.map((from) => [from, exits(from).filter((to) => !goesBack(from, to))]));
    this.#back = new Map(
      names.map((from) => [from, exits(from).filter((to) => to !== from && goesBack(from, to))]),
    );
    const path = reachable(first, exits);
    this.all = [...this.#sorted(path), ...names.filter((status) => !path.has(status))];
  }

  /** A status and all that may follow it without going back, in order. */
  from(status: S): readonly S[] {
    return this.#sorted(reachable(status, (one) => this.#onward.get(one) ?? []));
  }

  /** Statuses of which more follow come earlier; where that doesn't decide, the names do. */
  #sorted(statuses: ReadonlySet<S>): readonly S[] {
    const following = (status: S): number => {
      const onward = reachable(status, (one) => this.#onward.get(one) ?? []).size;
      // From an aside every exit goes back: it comes right after what it goes back to.
      const back = onward > 1 ? [] : (this.#back.get(status) ?? []);
      return back.length === 0 ? onward : Math.max(...back.map(following)) - 0.5;
    };
    return [...statuses].toSorted(
      (one, other) => following(other) - following(one) || (one < other ? -1 : 1),
    );
  }
}

/** A status and all that can be reached from it; never `without`. */
function reachable<S>(first: S, next: (status: S) => readonly S[], without?: S): ReadonlySet<S> {
  const seen = new Set<S>();
  const open = first === without ? [] : [first];
  for (let status = open.pop(); status !== undefined; status = open.pop()) {
    seen.add(status);
    open.push(...next(status).filter((one) => one !== without && !seen.has(one)));
  }
  return seen;
}
