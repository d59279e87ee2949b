import assert from 'node:assert/strict';
import { findingCounts, listedFindings } from '../../../../src/protocol/findings/findingStates.ts';
import type { FindingState } from '../../../../src/protocol/findings/findingTexts.ts';
import { placeFinding } from '../../../../src/views/review/places.ts';
import { findingView } from '../../../support/fakes/fakeFindings.ts';

const working = { id: 'greet', status: 'in_progress', iteration: 1 } as const;
const done = { ...working, status: 'done' } as const;

describe('how far a finding is', () => {
  const state = (
    changes: Parameters<typeof findingView>[0],
    bead: { id: string; status: 'in_progress' | 'done'; iteration: number },
  ): FindingState => listedFindings([findingView(changes)], [bead])[0]?.state ?? 'noted';

  it('is to be fixed until its bead is done or a later review no longer raises it', () => {
    assert.deepEqual([state({}, working), state({}, done)], ['open', 'fixed']);
    const later = findingView({
      review: { round: 2 },
      finding: { claim: 'Something else.', file: 'other.ts' },
    });
    assert.deepEqual(
      listedFindings([findingView(), later], [working]).map((one) => one.state),
      ['fixed', 'open'],
    );
  });

  it('says that a later review raised it again, or that its iteration was reset', () => {
    const again = findingView({ review: { round: 2 } });
    assert.deepEqual(
      listedFindings([findingView(), again], [working]).map((one) => one.state),
      ['again', 'open'],
    );
    assert.equal(state({}, { ...working, iteration: 2 }), 'earlier');
  });

  it('follows what a person decided', () => {
    const noted = { standing: 'noted' } as const;
    assert.deepEqual(
      [
        state({ finding: noted }, done),
        state({ decision: { verdict: 'dismiss', reason: 'No.' } }, working),
        state({ finding: noted, decision: { verdict: 'accept' } }, done),
        state({ finding: noted, decision: { verdict: 'accept', became: 'change' } }, done),
        state({ finding: noted, decision: { verdict: 'accept', became: 'fix' } }, done),
        state({ decision: { verdict: 'bead' } }, working),
        state({ decision: { verdict: 'bead', became: 'change' } }, working),
      ],
      ['noted', 'dismissed', 'open', 'requested', 'fixed', 'bead', 'requested'],
    );
  });

  it('is counted without what nobody believes and what was found again', () => {
    const all = [
      findingView(),
      findingView({ finding: { id: 'two', claim: 'Else.', standing: 'unfounded', doubt: 'not_there' } }),
      findingView({
        finding: { id: 'three', claim: 'More.' },
        decision: { verdict: 'dismiss', reason: 'No.' },
      }),
    ];
    assert.deepEqual(findingCounts(listedFindings(all, [working])), {
      total: 2,
      fixed: 0,
      dismissed: 1,
      open: 1,
    });
  });
});

describe('the place of a finding', () => {
  const candidate = 'c'.repeat(40);
  const finding = { line: 2, evidence: "```js\n+return 'Hello';\n```" };

  it('is its line in the commit that was reviewed', () => {
    assert.deepEqual(placeFinding({ finding, candidate }, candidate, 'a\nb\nc'), {
      line: 2,
      outdated: false,
    });
  });

  it('follows the quoted code in another version of the file', () => {
    const text = "one\n\n// more\n  return 'Hello';\n";
    assert.deepEqual(
      placeFinding({ finding: { ...finding, evidence: "return 'Hello';" }, candidate }, 'd'.repeat(40), text),
      {
        line: 4,
        outdated: false,
      },
    );
  });

  it('is outdated where the code is gone, and never outside the file', () => {
    assert.deepEqual(
      placeFinding({ finding: { line: 9, evidence: 'return gone();' }, candidate }, 'd'.repeat(40), 'a\nb'),
      {
        line: 2,
        outdated: true,
      },
    );
  });
});
