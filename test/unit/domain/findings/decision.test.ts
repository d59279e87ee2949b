import assert from 'node:assert/strict';
import { decidedFindings, FindingDecision } from '../../../../src/domain/findings/decision.ts';
import { Finding, Review } from '../../../../src/domain/findings/finding.ts';
import { reviewerCounts } from '../../../../src/domain/findings/reviewerCounts.ts';

const found = (id: string, fields: Partial<Finding> = {}): Finding =>
  Finding.parse({
    id,
    severity: 'low',
    category: 'style',
    file: 'a.ts',
    claim: `Claim ${id}.`,
    standing: 'noted',
    doubt: null,
    ...fields,
  });
const review = (round: number, findings: readonly Finding[], reviewer = 'other/third'): Review =>
  Review.parse({
    bead: 'greet',
    iteration: 1,
    round,
    reviewer,
    candidate: 'a'.repeat(40),
    at: '2026-01-01',
    checked: ['All.'],
    findings,
  });
const decision = (finding: string, verdict: FindingDecision['verdict']): FindingDecision =>
  FindingDecision.parse({ finding, verdict, reason: 'Because.', by: 'user', at: '2026-01-02' });

describe('decided findings', () => {
  const reviews = [
    review(1, [
      found('greet.1.1.1', { standing: 'fix', severity: 'high' }),
      found('greet.1.1.2'),
      found('greet.1.1.3', { standing: 'unfounded', doubt: 'not_there' }),
    ]),
    review(2, [found('greet.1.2.1', { standing: 'fix', confirmed: true })], 'demo/second'),
  ];

  it('stand where the last decision puts them, and stay in the reviews as they were found', () => {
    const decisions = [
      decision('greet.1.1.1', 'accept'),
      decision('greet.1.1.1', 'dismiss'),
      decision('greet.1.1.3', 'accept'),
      decision('greet.1.2.1', 'bead'),
      decision('nothing', 'dismiss'),
    ];
    assert.deepEqual(
      decidedFindings(reviews, decisions).map(({ finding, standing, decision: last }) => [
        finding.id,
        finding.standing,
        standing,
        last?.verdict,
      ]),
      [
        ['greet.1.1.1', 'fix', 'dismissed', 'dismiss'],
        ['greet.1.1.2', 'noted', 'noted', undefined],
        ['greet.1.1.3', 'unfounded', 'fix', 'accept'],
        ['greet.1.2.1', 'fix', 'noted', 'bead'],
      ],
    );
  });

  it('have a hash that changes with a decision, and not with what it led to', () => {
    const hashes = (decisions: readonly FindingDecision[]): string =>
      decidedFindings(reviews, decisions)[0]?.sha256 ?? '';
    const decided = decision('greet.1.1.1', 'accept');
    assert.notEqual(hashes([]), hashes([decided]));
    assert.equal(hashes([decided]), hashes([{ ...decided, became: 'fix' }]));
    assert.notEqual(hashes([decided]), hashes([decided, decision('greet.1.1.1', 'dismiss')]));
  });

  it('of an iteration that was started again are the newer ones', () => {
    const again = review(1, [found('greet.1.1.1', { claim: 'Other.' })]);
    assert.deepEqual(
      decidedFindings([...reviews, again], []).map(({ finding }) => finding.claim),
      ['Other.', 'Claim greet.1.1.2.', 'Claim greet.1.1.3.', 'Claim greet.1.2.1.'],
    );
  });

  it('are counted by reviewer over tickets, confirmed by a test or a person', () => {
    const decisions = [decision('greet.1.1.1', 'dismiss'), decision('greet.1.1.2', 'accept')];
    const counts = reviewerCounts([
      { reviews, decisions },
      { reviews: [review(1, [])], decisions: [] },
    ]);
    assert.deepEqual(counts, [
      { reviewer: 'other/third', reviews: 2, raised: 3, founded: 2, confirmed: 1, fixed: 1, dismissed: 1 },
      { reviewer: 'demo/second', reviews: 1, raised: 1, founded: 1, confirmed: 1, fixed: 1, dismissed: 0 },
    ]);
    assert.deepEqual(reviewerCounts([]), []);
  });
});
