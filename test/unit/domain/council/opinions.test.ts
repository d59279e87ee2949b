import assert from 'node:assert/strict';
import { type CouncilVote, CouncilVotes, type DraftScore } from '../../../../src/domain/council/council.ts';
import { renamed } from '../../../../src/domain/council/labels.ts';
import { opinionsOf } from '../../../../src/domain/council/opinions.ts';
import { markQuotes, quotes } from '../../../../src/domain/council/quotes.ts';

const score = (over: Partial<DraftScore> = {}): DraftScore => ({
  coverage: 10,
  correctness: 10,
  testability: 10,
  decomposition: 10,
  risks: 10,
  reason: '',
  ...over,
});
const vote = (voter: string, scores: Readonly<Record<string, DraftScore>>): CouncilVote => ({
  voter,
  outcome: 'completed',
  order: Object.keys(scores),
  scores,
  error: null,
});

describe('opinions of a council', () => {
  it('say where voters are apart, by draft and category, and whose reason it is', () => {
    const votes = [
      vote('a', { d: score({ risks: 18, reasons: { risks: '"expiry" is there' } }), e: score() }),
      vote('b', { d: score(), e: score() }),
      vote('c', { d: score({ risks: 9, unquoted: ['risks'], reasons: { risks: 'Thin.' } }), e: score() }),
    ];
    const opinions = opinionsOf(votes);
    assert.equal(opinions.length, 10);
    const risks = opinions.find(({ draft, category }) => draft === 'd' && category === 'risks');
    assert.deepEqual(risks?.dissent, ['a']);
    assert.ok(risks.spread > 6 && risks.spread < 9.1, String(risks.spread));
    assert.deepEqual(
      risks.voices.map(({ voter, score: points, reason, quoted }) => [voter, points, reason, quoted]),
      [
        ['a', 18, '"expiry" is there', true],
        ['b', 10, '', true],
        ['c', 9, 'Thin.', false],
      ],
    );
    assert.deepEqual(
      opinions
        .filter(({ dissent }) => dissent.length > 0)
        .map(({ draft, category }) => `${draft} ${category}`),
      ['d risks'],
    );
  });

  it('don’t take a harsh voter for one who dissents', () => {
    const low = score({ coverage: 4, correctness: 4, testability: 4, decomposition: 4, risks: 4 });
    for (const opinion of opinionsOf([vote('a', { d: score(), e: score() }), vote('b', { d: low, e: low })]))
      assert.deepEqual([opinion.spread, opinion.dissent], [0, []]);
  });

  it('are read from ballots that have one reason a draft, as they were stored before', () => {
    const old = {
      voter: 'a',
      outcome: 'completed',
      order: ['d'],
      scores: { d: { ...score(), reason: 'Clear.' } },
      error: null,
    };
    const { votes } = CouncilVotes.parse({ schema_version: 1, votes: [old] });
    assert.equal(votes[0]?.scores['d']?.reason, 'Clear.');
    assert.equal(opinionsOf(votes).length, 5);
  });
});

describe('a reason', () => {
  const draft =
    'acceptance_criteria:\n  - "A 10 % code takes 10 % off the total,\n    rounded to whole cents"\n  - The user’s cart stays\n';

  it('quotes the draft with its words in marks, or with four of them in a row', () => {
    for (const reason of [
      '"whole cents" is a criterion.',
      'The words ‘whole  Cents’ can be measured.',
      "It says 'the user's cart stays'.",
      'It has «off the total» twice.',
      'That the code takes 10 % off the total is checkable.',
    ])
      assert.equal(quotes(reason, draft), true, reason);
    for (const reason of [
      '',
      'Solid overall.',
      "It doesn't say what isn't known.",
      'The "expiry" is missing.',
      "'' and '-'",
      'the total',
    ])
      assert.equal(quotes(reason, draft), false, reason);
  });

  it('is marked, and kept, when it quotes nothing', () => {
    const given = score({
      reason: 'Fine.',
      reasons: { coverage: 'Nice.', risks: "'whole cents' leaves shipping open." },
    });
    assert.deepEqual(markQuotes(given, draft), { ...given, unquoted: ['coverage', 'overall'] });
    assert.deepEqual(markQuotes(score(), draft), score());
  });

  it('can name drafts by other labels', () => {
    const names = ['Draft 2', undefined];
    assert.equal(
      renamed('Draft 1 has it, draft_2 and Draft 10 lack it.', (place) => names[place]),
      'Draft 2 has it, draft_2 and Draft 10 lack it.',
    );
  });
});
