import * as z from 'zod';
import { oneLine } from '../../base/oneLine.ts';
import { type CouncilVote, scoreSum, voteCategories } from './council.ts';
import { fitVotes, mean } from './fit.ts';
import { renamed } from './labels.ts';

const dissentFrom = 5;

const Voice = z.object({
  voter: z.string(),
  score: z.number().int(),
  reason: z.string(),
  quoted: z.boolean(),
});

/**
 * The voters' opinion of a draft in a category. `mean` and `spread` (0 to 20, to a tenth) and `dissent` (5 or
 * more from the others' mean) are without harshness.
 */
export const Opinion = z.object({
  draft: z.string(),
  category: z.enum(voteCategories),
  mean: z.number(),
  spread: z.number(),
  dissent: z.array(z.string()),
  voices: z.array(Voice),
});
export type Opinion = z.infer<typeof Opinion>;

/**
 * Agreement of a council by draft and category (docs/decisions/019-council-voting.md). `nameOf` names a
 * draft's member.
 */
export function opinionsOf(
  votes: readonly CouncilVote[],
  nameOf: (member: string) => string = (member) => member,
): Opinion[] {
  const scored = votes.flatMap((vote) =>
    Object.entries(vote.scores).map(([draft, score]) => ({ vote, draft, score })),
  );
  const { harshness } = fitVotes(
    scored.map(({ vote: { voter }, draft, score }) => ({ voter, draft, sum: scoreSum(score) })),
  );
  return [...Map.groupBy(scored, ({ draft }) => draft)].flatMap(([draft, ballots]) =>
    voteCategories.map((category) => {
      const fair = ballots.map(
        ({ vote, score }) => score[category] - (harshness.get(vote.voter) ?? 0) / voteCategories.length,
      );
      return {
        draft,
        category,
        mean: tenth(mean(fair)),
        spread: tenth(Math.max(...fair) - Math.min(...fair)),
        dissent: ballots.flatMap(({ vote }, place) => (isApart(fair, place) ? [vote.voter] : [])),
        voices: ballots.map(({ vote, score }) => ({
          voter: vote.voter,
          score: score[category],
          reason: told(vote, score.reasons?.[category] ?? '', nameOf),
          quoted: score.unquoted?.includes(category) !== true,
        })),
      };
    }),
  );
}

/** A reason on one line, with names in place of the ballot's labels. */
export function told(
  { order }: CouncilVote,
  reason: string,
  nameOf: (member: string) => string = (member) => member,
): string {
  return renamed(oneLine(reason), (place) => {
    const member = order[place];
    return member === undefined ? undefined : nameOf(member);
  });
}

function isApart(scores: readonly number[], place: number): boolean {
  const others = scores.filter((_, other) => other !== place);
  return others.length > 0 && Math.abs((scores[place] ?? 0) - mean(others)) >= dissentFrom;
}

function tenth(value: number): number {
  return Math.round(10 * value) / 10;
}
