/** One voter's sum for one draft, 0 to 100. */
interface Sum {
  readonly voter: string;
  readonly draft: string;
  readonly sum: number;
}

interface Fit {
  readonly worth: ReadonlyMap<string, number>;
  readonly harshness: ReadonlyMap<string, number>;
}

const rounds = 200;

/** The least squares of `sum = worth + harshness` (docs/decisions/019-council-voting.md). */
export function fitVotes(sums: readonly Sum[]): Fit {
  let harshness: ReadonlyMap<string, number> = new Map();
  let worth = worthOf(sums, harshness);
  for (let round = 0; round < rounds; round++) {
    const before = worth;
    const raw = means(
      sums,
      ({ voter }) => voter,
      ({ draft, sum }) => sum - (before.get(draft) ?? 0),
    );
    const middle = mean([...raw.values()]);
    harshness = new Map([...raw].map(([voter, value]) => [voter, value - middle]));
    worth = worthOf(sums, harshness);
  }
  return { worth, harshness };
}

function worthOf(sums: readonly Sum[], harshness: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return means(
    sums,
    ({ draft }) => draft,
    ({ voter, sum }) => sum - (harshness.get(voter) ?? 0),
  );
}

function means(
  sums: readonly Sum[],
  nameOf: (sum: Sum) => string,
  valueOf: (sum: Sum) => number,
): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(sums, nameOf)].map(([name, group]) => [name, mean(group.map(valueOf))]));
}

/** The mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
