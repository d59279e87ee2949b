import assert from 'node:assert/strict';
import { checkClaims } from '../../../../src/domain/findings/checkClaims.ts';
import {
  type Dismissal,
  dismissalsFor,
  dismissalsText,
  isSameClaim,
} from '../../../../src/domain/findings/dismissal.ts';
import { Claim } from '../../../../src/domain/findings/finding.ts';
import { cpuMs } from '../../../support/cpuMs.ts';

const place = { bead: 'greet', iteration: 1, round: 1 };
const diff = [
  '--- a/src/greet.ts',
  '+++ b/src/greet.ts',
  '@@ -1,0 +1,1 @@',
  '+  return hello(name.trim());',
  '',
].join('\n');
const claim = (fields: Partial<Claim> = {}): Claim =>
  Claim.parse({
    severity: 'high',
    category: 'correctness',
    file: 'src/greet.ts',
    line: 1,
    claim: 'The name is trimmed, so a space is lost.',
    evidence: 'return hello(name.trim());',
    ...fields,
  });
const dismissal = (number: number, fields: Partial<Dismissal> = {}): Dismissal => ({
  number,
  revision: 1,
  ticket: 'TST-1',
  finding: `greet.1.1.${String(number)}`,
  category: 'correctness',
  file: 'src/greet.ts',
  claim: 'The name is trimmed, so a space is lost.',
  reason: 'By design.',
  at: '2026-01-01T00:00:00.000Z',
  ...fields,
});
const standings = (
  claims: readonly Claim[],
  decided: Parameters<typeof checkClaims>[0]['decided'],
): readonly string[] =>
  checkClaims({ claims, diff, place, ...(decided ? { decided } : {}) }).map(({ standing }) => standing);

describe('dismissals', () => {
  it('are told to a review with those about the files of its diff first, newest first, and no more than 50', () => {
    const others = Array.from({ length: 60 }, (_, index) => dismissal(index + 1, { file: 'src/other.ts' }));
    const own = [dismissal(61), dismissal(62)];
    const told = dismissalsFor(diff, [...own, ...others]);
    assert.deepEqual([told.length, ...told.slice(0, 3).map(({ number }) => number)], [50, 62, 61, 60]);
    assert.equal(dismissalsFor('', own).length, 2, 'an empty diff is about no file');
    const [line] = dismissalsText([dismissal(7, { claim: 'Two\nlines.', reason: 'No\n## heading' })]).split(
      '\n',
    );
    assert.equal(line, '- 7 (correctness, src/greet.ts): Two lines. Dismissed: No ## heading');
  });

  it('are repeated by a claim of the same file in nearly the same words of one category', () => {
    const known = dismissal(1);
    assert.ok(
      isSameClaim(known, claim({ claim: 'the name is trimmed so a space is LOST', category: 'style' })),
    );
    assert.ok(isSameClaim(known, claim({ claim: 'The name is trimmed, so one space is lost.' })));
    assert.ok(
      !isSameClaim(known, claim({ claim: 'The name is trimmed, so one space is lost.', category: 'style' })),
    );
    assert.ok(!isSameClaim(known, claim({ file: 'src/other.ts' })));
    assert.ok(
      !isSameClaim(known, claim({ claim: 'The name is never trimmed, which keeps a trailing line break.' })),
    );
  });

  it('mark what repeats them, which is then neither fixed nor counted, unless a person accepted the same', () => {
    const dismissed = [dismissal(3)];
    const [found] = checkClaims({ claims: [claim()], diff, place, decided: { dismissed, accepted: [] } });
    assert.deepEqual([found?.standing, found?.dismissal, found?.doubt], ['dismissed', 3, null]);
    assert.deepEqual(standings([claim()], { dismissed, accepted: [claim()] }), ['fix']);
    assert.deepEqual(standings([claim({ evidence: 'made up' })], { dismissed, accepted: [] }), ['unfounded']);
    assert.deepEqual(
      standings([claim({ evidence: 'made up', severity: 'low' })], { dismissed: [], accepted: [claim()] }),
      ['fix'],
    );
    const medium = Array.from({ length: 5 }, (_, index) =>
      claim({ severity: 'medium', claim: `Risk ${String(index)} of many.` }),
    );
    assert.deepEqual(
      new Set(standings([...medium, claim()], { dismissed, accepted: [] })),
      new Set(['noted', 'dismissed']),
    );
    assert.deepEqual(new Set(standings([...medium, claim()], undefined)), new Set(['fix']));
  });

  it('are compared with 200 findings at once', () => {
    const dismissed = Array.from({ length: 200 }, (_, index) =>
      dismissal(index + 1, { claim: `Number ${String(index)} is wrong.` }),
    );
    const claims = Array.from({ length: 200 }, (_, index) =>
      claim({ claim: `Number ${String(index)} is wrong.` }),
    );
    const began = cpuMs();
    assert.deepEqual(new Set(standings(claims, { dismissed, accepted: [] })), new Set(['dismissed']));
    assert.ok(cpuMs() - began < 2_000);
  });
});
