import * as z from 'zod';
import { type CouncilVote, scoreSum, voteCategories } from './council.ts';
import { fitVotes, mean } from './fit.ts';
import { renamed } from './labels.ts';

/** Scores (of 20) that are so far from those of the other voters are dissent. */
const dissentFrom = 5;

/** One voter's score of a draft in one category. `quoted`: its reason, if any, quotes the draft. */
const Voice = z.object({
  voter: z.string(),
  score: z.number().int(),
  reason: z.string(),
  quoted: z.boolean(),
});

/**
 * The voters' opinion of one draft in one category. `mean` and `spread` (from the lowest to the highest, both
 * 0 to 20, to a tenth) and `dissent` (the voters who are 5 or more from the mean of the others) are without
 * the voters' harshness: a voter who gives less to every draft doesn't dissent.
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
 * Returns where the voters of a council agree and where they don't, by draft and category
 * (docs/decisions/019-council-voting.md). Reasons call other drafts by what `nameOf` makes of their members.
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

/** A voter's reason in one line, with `nameOf` members in place of the labels of its ballot. */
export function told(
  { order }: CouncilVote,
  reason: string,
  nameOf: (member: string) => string = (member) => member,
): string {
  return renamed(reason.replace(/\s+/g, ' ').trim(), (place) => {
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
