import { type CouncilVote, type CouncilWinner, scoreSum } from '../../../domain/council/council.ts';
import { fitVotes } from '../../../domain/council/fit.ts';

/**
 * Counts a vote (docs/decisions/019-council-voting.md). A sum is taken for the draft's worth and the voter's
 * harshness together, and each is what fits all sums best; so a draft doesn't win because the harshest voter
 * wrote it and couldn't score it. A draft nobody scored has 0. On a tie the main implementer's draft wins,
 * else the first in the council's order.
 */
export function tally(
  members: readonly string[],
  votes: readonly CouncilVote[],
  mainImplementer: string,
): CouncilWinner {
  const sums = votes.flatMap(({ voter, scores }) =>
    Object.entries(scores).map(([draft, score]) => ({ voter, draft, sum: scoreSum(score) })),
  );
  const { worth } = fitVotes(sums);
  const totals = Object.fromEntries(members.map((member) => [member, rounded(worth.get(member) ?? 0)]));
  const best = Math.max(...Object.values(totals));
  const first = members.filter((member) => totals[member] === best);
  const winner = first.includes(mainImplementer) ? mainImplementer : (first[0] ?? mainImplementer);
  return { schema_version: 1, winner, totals, tie: first.length > 1 };
}

/** 0 to 100, to a tenth: finer differences are noise, and the end of the fit. */
function rounded(total: number): number {
  return Math.min(100, Math.max(0, Math.round(10 * total) / 10));
}
