import assert from 'node:assert/strict';
import type { CouncilVote } from '../../../../../src/domain/council/council.ts';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { tally, shuffle, parseBallot } from '../../../../../src/phases/shared/panel/voteCouncil.ts';

const score = (each: number): CouncilVote['scores'][string] => ({
  coverage: each,
  correctness: each,
  testability: each,
  decomposition: each,
  risks: each,
  reason: '',
});
const vote = (voter: string, scores: Readonly<Record<string, number>>): CouncilVote => ({
  voter,
  outcome: 'completed',
  order: Object.keys(scores),
  scores: Object.fromEntries(Object.entries(scores).map(([member, each]) => [member, score(each)])),
  error: null,
});

describe('the vote', () => {
  it('goes by the mean, so that a draft with fewer voters is not at a disadvantage', () => {
    const votes = [vote('a', { b: 12, c: 10 }), vote('b', { a: 15, c: 10 })];
    assert.deepEqual(tally(['a', 'b', 'c'], votes, 'b'), {
      schema_version: 1,
      winner: 'a',
      totals: { a: 75, b: 60, c: 50 },
      tie: false,
    });
  });

  it('is not won by the draft of the harshest voter, who can’t score it', () => {
    // The drafts are worth 12, 14 and 10; a takes 5 off whatever it scores.
    const votes = [vote('a', { b: 9, c: 5 }), vote('b', { a: 12, c: 10 }), vote('c', { a: 12, b: 14 })];
    const { winner, totals } = tally(['a', 'b', 'c'], votes, 'a');
    assert.equal(winner, 'b');
    assert.deepEqual(
      ['a', 'c'].map((member) => Math.round((totals['b'] ?? 0) - (totals[member] ?? 0))),
      [10, 20],
    );
  });

  it('of two is decided by what both make of both drafts, however harsh one of them is', () => {
    const votes = [vote('a', { a: 6, b: 9 }), vote('b', { a: 17, b: 18 })];
    assert.deepEqual(tally(['a', 'b'], votes, 'a').winner, 'b');
  });

  it('gives a tie to the main implementer, else to the first in the council', () => {
    const votes = [vote('a', { b: 10, c: 10 }), vote('b', { a: 4, c: 10 }), vote('c', { a: 4, b: 10 })];
    assert.deepEqual(
      [tally(['a', 'b', 'c'], votes, 'c').winner, tally(['a', 'b', 'c'], votes, 'c').tie],
      ['c', true],
    );
    assert.equal(tally(['a', 'b', 'c'], votes, 'a').winner, 'b');
  });

  it('shuffles by seed: the same order again, other orders for others', () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f'];
    const orders = Array.from({ length: 40 }, (_, seed) =>
      shuffle(items, (seed * 7_919 + 1).toString(16).padStart(8, '0')).join(''),
    );
    assert.equal(shuffle(items, '00000001').join(''), orders[0]);
    assert.ok(new Set(orders).size > 30);
    for (const order of orders) assert.equal(Array.from(order).sort().join(''), 'abcdef');
    assert.equal(new Set(orders.map((order) => order[0])).size, 6, 'each is first now and then');
  });

  it('reads a ballot by label, and refuses one that leaves a draft out', () => {
    const line = '{coverage: 1, correctness: 2, testability: 3, decomposition: 4, risks: 5}';
    const parse = parseBallot(['demo/b', 'demo/a']);
    const ballot = parse(`draft_scores:\n  Draft 2: ${line}\n  draft_1: ${line}\n${endMark}`);
    assert.ok(ballot.ok);
    assert.deepEqual(Object.keys(ballot.value).sort(), ['demo/a', 'demo/b']);
    for (const bad of [
      `draft_scores:\n  Draft 1: ${line}\n${endMark}`,
      `draft_scores:\n  Draft 1: ${line}\n  Draft 2: ${line}\n  Draft 3: ${line}\n${endMark}`,
    ]) {
      assert.equal(parse(bad).ok, false);
    }
    assert.equal(parse(`draft_scores:\n  Draft 1: ${line}\n  Draft 2: ${line.replace('5', '21')}`).ok, false);
  });
});
