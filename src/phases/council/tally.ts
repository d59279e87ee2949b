import { type CouncilVote, type CouncilWinner, scoreSum } from '../../domain/council.ts';

/**
 * Counts a vote (LoopTroop 4.4). A draft's total is the mean of the sums (0 to 100) that its voters gave it, because not every draft has the same
 * number of voters; a draft nobody scored has 0. On a tie the main implementer's draft wins, else the first in the council's order.
 */
export function tally(members: readonly string[], votes: readonly CouncilVote[], mainImplementer: string): CouncilWinner {
  const totals: Record<string, number> = {};
  for (const member of members) {
    const sums = votes.flatMap(({ scores }) => {
      const score = scores[member];
      return score ? [scoreSum(score)] : [];
    });
    totals[member] = sums.length === 0 ? 0 : Math.round((100 * sums.reduce((a, b) => a + b, 0)) / sums.length) / 100;
  }
  const best = Math.max(...members.map((member) => totals[member] ?? 0));
  const first = members.filter((member) => totals[member] === best);
  const winner = first.includes(mainImplementer) ? mainImplementer : (first[0] ?? mainImplementer);
  return { schema_version: 1, winner, totals, tie: first.length > 1 };
}
