import { type CouncilVote, type CouncilWinner, scoreSum } from '../../../domain/council.ts';

/** One voter's sum (0 to 100) for one draft. */
interface Sum {
  readonly voter: string;
  readonly draft: string;
  readonly sum: number;
}

const rounds = 200;

/**
 * Counts a vote (docs/decisions/019-council-voting.md). A sum is taken for the draft's worth and the voter's harshness together, and each is what fits
 * all sums best; so a draft doesn't win because the harshest voter wrote it and couldn't score it. A draft nobody scored has 0. On a tie the main
 * implementer's draft wins, else the first in the council's order.
 */
export function tally(members: readonly string[], votes: readonly CouncilVote[], mainImplementer: string): CouncilWinner {
  const sums = votes.flatMap(({ voter, scores }) =>
    Object.entries(scores).map(([draft, score]) => ({ voter, draft, sum: scoreSum(score) })),
  );
  const worth = worthOf(sums);
  const totals = Object.fromEntries(members.map((member) => [member, rounded(worth.get(member) ?? 0)]));
  const best = Math.max(...Object.values(totals));
  const first = members.filter((member) => totals[member] === best);
  const winner = first.includes(mainImplementer) ? mainImplementer : (first[0] ?? mainImplementer);
  return { schema_version: 1, winner, totals, tie: first.length > 1 };
}

/** What each draft is worth without its voters' harshness: the least squares of `sum = worth + harshness`, with no harshness on average. */
function worthOf(sums: readonly Sum[]): ReadonlyMap<string, number> {
  let worth = means(
    sums,
    ({ draft }) => draft,
    ({ sum }) => sum,
  );
  for (let round = 0; round < rounds; round++) {
    const before = worth;
    const raw = means(
      sums,
      ({ voter }) => voter,
      ({ draft, sum }) => sum - (before.get(draft) ?? 0),
    );
    const middle = mean([...raw.values()]);
    worth = means(
      sums,
      ({ draft }) => draft,
      ({ voter, sum }) => sum - ((raw.get(voter) ?? 0) - middle),
    );
  }
  return worth;
}

function means(sums: readonly Sum[], nameOf: (sum: Sum) => string, valueOf: (sum: Sum) => number): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(sums, nameOf)].map(([name, group]) => [name, mean(group.map(valueOf))]));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** 0 to 100, to a tenth: finer differences are noise, and the end of the fit. */
function rounded(total: number): number {
  return Math.min(100, Math.max(0, Math.round(10 * total) / 10));
}
