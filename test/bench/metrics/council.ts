import type { CouncilVote } from '../../../src/domain/council/council.ts';
import type { Measure, Measurement } from '../measurement.ts';
import { randomOf } from '../../support/randomOf.ts';
import { tally } from '../../../src/phases/shared/panel/voteCouncil.ts';

const councils = 2_000;

/**
 * How often the best draft wins a simulated vote (docs/decisions/019-council-voting.md). Drafts differ by 12
 * points of 100 (standard deviation); voters by 15 in harshness, prefer their own draft by up to 8, and err
 * by 5. `…-means`: plain means without a voter's own draft.
 */
export const measureCouncil: Measure = ({ samples }) => {
  const measured: Measurement[] = [2, 3, 4, 5].map((members) => {
    const wins = Array.from({ length: samples }, (_, sample) => winsOf(members, sample + 1, winner));
    const plain = winsOf(members, 1, plainWinner);
    const notes = [
      `${String(members)} members: ${percent(wins[0] ?? 0)}; with plain means ${percent(plain)}`,
    ];
    return {
      name: `council-of-${String(members)}`,
      unit: 'of councils',
      bound: { atLeast: 0.8 },
      samples: wins,
      notes,
    };
  });
  return Promise.resolve(measured);
};

function percent(share: number): string {
  return `the best draft wins in ${(100 * share).toFixed(0)} % of ${String(councils)}`;
}

type Council = {
  readonly members: readonly string[];
  readonly sum: (voter: string, draft: string) => number;
};

function winsOf(size: number, seed: number, choose: (council: Council) => string): number {
  // Neighboring seeds would begin alike.
  const random = randomOf(seed * 0x9e3779b9);
  const normal = (deviation: number): number =>
    deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let wins = 0;
  for (let council = 0; council < councils; council++) {
    const members = Array.from({ length: size }, (_, index) => `m${String(index)}`);
    const of = (make: () => number): Readonly<Record<string, number>> =>
      Object.fromEntries(members.map((member) => [member, make()]));
    const [worth, harshness, vanity] = [
      of(() => 65 + normal(12)),
      of(() => normal(15)),
      of(() => 8 * random()),
    ];
    const errors = new Map(
      members.flatMap((voter) => members.map((draft) => [`${voter} ${draft}`, normal(5)])),
    );
    const sum = (voter: string, draft: string): number => {
      const own = voter === draft ? (vanity[voter] ?? 0) : 0;
      return (worth[draft] ?? 0) - (harshness[voter] ?? 0) + own + (errors.get(`${voter} ${draft}`) ?? 0);
    };
    const best = members.toSorted((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0))[0];
    if (choose({ members, sum }) === best) wins += 1;
  }
  return wins / councils;
}

/** As the product votes: two voters score their own drafts as well. */
function winner({ members, sum }: Council): string {
  const votes = members.map((voter): CouncilVote => {
    const order = members.filter((draft) => draft !== voter || members.length === 2);
    return {
      voter,
      outcome: 'completed',
      order,
      scores: Object.fromEntries(order.map((draft) => [draft, score(sum(voter, draft))])),
      error: null,
    };
  });
  return tally(members, votes, members[0] ?? '').winner;
}

function plainWinner({ members, sum }: Council): string {
  const mean = (draft: string): number =>
    members.filter((voter) => voter !== draft).reduce((total, voter) => total + sum(voter, draft), 0) /
    (members.length - 1);
  return members.toSorted((a, b) => mean(b) - mean(a))[0] ?? '';
}

/** A ballot's five whole numbers from 0 to 20. */
function score(sum: number): CouncilVote['scores'][string] {
  const points = Math.min(100, Math.max(0, Math.round(sum)));
  const each = (place: number): number => Math.min(20, Math.floor(points / 5) + (place < points % 5 ? 1 : 0));
  return {
    coverage: each(0),
    correctness: each(1),
    testability: each(2),
    decomposition: each(3),
    risks: each(4),
    reason: '',
  };
}
