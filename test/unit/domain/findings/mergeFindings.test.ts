import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Finding } from '../../../../src/domain/findings/finding.ts';
import {
  anonymous,
  decideFindings,
  mergeFindings,
  type Spoken,
} from '../../../../src/domain/findings/mergeFindings.ts';

const place = { bead: 'greet', iteration: 1, round: 1 };
const finding = (fields: Partial<Finding> = {}): Finding => ({
  id: '',
  severity: 'high',
  category: 'correctness',
  file: 'a.js',
  line: 4,
  claim: 'Nobody is greeted.',
  evidence: 'x',
  suggestedFix: '',
  confidence: 0.9,
  standing: 'noted',
  confirmed: false,
  doubt: null,
  ...fields,
});
const said = (persona: string, ...findings: readonly Finding[]): Spoken => ({ persona, findings });
const standings = (findings: readonly Finding[]) => findings.map(({ standing, votes }) => [standing, votes]);
const together = { isSolo: false };

describe('the findings of a party', () => {
  it('AT-19: are one where two personas report the same line, with both and their votes', () => {
    const merged = mergeFindings(
      [
        said('winston', finding({ confidence: 0.5 })),
        said('murat', finding({ line: 5, claim: 'The name is never used.' })),
        said('amelia', finding({ file: 'b.js' }), finding({ line: 40 })),
      ],
      place,
    );
    assert.deepEqual(
      merged.map(({ id, file, line, personas, votes }) => [id, file, line, personas, votes]),
      [
        ['greet.1.1.1', 'a.js', 5, ['murat', 'winston'], 2],
        ['greet.1.1.2', 'a.js', 40, ['amelia'], 1],
        ['greet.1.1.3', 'b.js', 4, ['amelia'], 1],
      ],
    );
  });

  it('AT-19: are noted where one persona alone is not sure of something small, and medium ones are fixed only among more than five', () => {
    const small = mergeFindings(
      [said('winston', finding({ severity: 'low', confidence: 0.2 })), said('murat')],
      place,
    );
    assert.deepEqual(standings(decideFindings(small, [], together)), [['noted', 1]]);
    const medium = (count: number) => {
      const findings = Array.from({ length: count }, (_, index) =>
        finding({ severity: 'medium', line: index * 20 + 1 }),
      );
      return decideFindings(
        mergeFindings([said('winston', ...findings), said('murat', ...findings)], place),
        [],
        together,
      );
    };
    assert.deepEqual(new Set(medium(5).map(({ standing }) => standing)), new Set(['noted']));
    assert.deepEqual(new Set(medium(6).map(({ standing }) => standing)), new Set(['fix']));
  });

  it('keep what two are for after the second round, what is severe, and what a test confirmed; a claim can be taken back', () => {
    const six = Array.from({ length: 6 }, (_, index) =>
      finding({ severity: 'medium', line: index * 20 + 1 }),
    );
    const merged = mergeFindings([said('winston', ...six)], place);
    const vote = (persona: string, index: number, vote: 'confirm' | 'reject' | 'unsure') => ({
      persona,
      ballots: [{ finding: merged[index]?.id ?? '', vote, reason: 'So.' }],
    });
    const votes = [
      vote('murat', 0, 'confirm'),
      vote('amelia', 1, 'unsure'),
      vote('murat', 2, 'confirm'),
      vote('winston', 2, 'reject'),
    ];
    const decided = decideFindings(merged, votes, together);
    assert.deepEqual(standings(decided).slice(0, 3), [
      ['fix', 2],
      ['noted', 1],
      ['noted', 1],
    ]);
    assert.deepEqual(decided[0]?.ballots, [{ persona: 'murat', vote: 'confirm', reason: 'So.' }]);
    const [high, confirmed, doubted] = [
      finding(),
      finding({ severity: 'low', confirmed: true }),
      finding({ doubt: 'other_code' }),
    ];
    const against = [{ persona: 'murat', ballots: [{ finding: '', vote: 'reject' as const, reason: '' }] }];
    assert.deepEqual(
      decideFindings([high, confirmed, doubted], against, together).map(({ standing }) => standing),
      ['fix', 'fix', 'unfounded'],
    );
  });

  it('tell the second round nothing of who claimed them', () => {
    const merged = mergeFindings([said('winston', finding()), said('murat', finding())], place);
    assert.doesNotMatch(JSON.stringify(anonymous(merged)), /winston|murat|votes|personas/);
  });

  it('are the same in whatever order the personas answered, and lose none', () => {
    const anyFinding = fc
      .record({
        severity: fc.constantFrom('high' as const, 'medium' as const, 'low' as const),
        category: fc.constantFrom('correctness', 'style'),
        file: fc.constantFrom('a.js', 'b.js'),
        line: fc.option(fc.integer({ min: 1, max: 30 })),
        claim: fc.constantFrom('One thing is wrong.', 'Another thing is wrong.', 'Nothing is right here.'),
        doubt: fc.constantFrom(null, 'other_code' as const),
      })
      .map(finding);
    const anySpoken = fc.tuple(
      ...['amelia', 'murat', 'winston'].map((persona) =>
        fc.array(anyFinding, { maxLength: 6 }).map((all) => said(persona, ...all)),
      ),
    );
    fc.assert(
      fc.property(anySpoken, (spoken) => {
        const merged = mergeFindings(spoken, place);
        assert.deepEqual(mergeFindings(spoken.toReversed(), place), merged);
        const votes = merged.reduce((sum, one) => sum + (one.votes ?? 0), 0);
        assert.equal(
          votes,
          spoken.reduce((sum, { findings }) => sum + findings.length, 0),
        );
        for (const { personas = [] } of merged) assert.equal(new Set(personas).size, personas.length);
      }),
    );
  });
});
