import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkClaims } from '../../../../src/domain/findings/checkClaims.ts';
import { hunksOf } from '../../../../src/domain/findings/diffPlaces.ts';
import { Claim } from '../../../../src/domain/findings/finding.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

const place = { bead: 'greet', iteration: 1, round: 1 };
const diff = [
  'diff --git a/src/greet.ts b/src/greet.ts',
  '--- a/src/greet.ts',
  '+++ b/src/greet.ts',
  '@@ -10,4 +10,5 @@ function greet() {',
  ' const name = read();',
  '-  return hello(name);',
  '+  if (name === "") return "";',
  '+  return hello(name.trim());',
  ' }',
  ' export { greet };',
  '',
].join('\n');

function claim(fields: Partial<Claim> = {}): Claim {
  const found = {
    severity: 'high',
    category: 'correctness',
    file: 'src/greet.ts',
    line: 11,
    claim: 'It says nothing.',
  };
  return Claim.parse({ ...found, evidence: 'if (name === "") return "";', ...fields });
}

function standings(...claims: readonly Claim[]): readonly string[] {
  return checkClaims({ claims, diff, place }).map(({ standing, doubt }) =>
    doubt === null ? standing : `${standing}: ${doubt}`,
  );
}

describe('checkClaims', () => {
  it('believes a finding whose place and quote are in the change', () => {
    const [found] = checkClaims({ claims: [claim()], diff, place });
    assert.deepEqual(
      [found?.id, found?.line, found?.standing, found?.doubt],
      ['greet.1.1.1', 11, 'fix', null],
    );
  });

  it('believes none whose file, line or quote is not there', () => {
    const invented = [
      claim({ file: 'src/other.ts' }),
      claim({ line: 40 }),
      claim({ evidence: '' }),
      claim({ evidence: '}', claim: 'Only a brace.' }),
      claim({ evidence: 'return goodbye(name);', claim: 'Not this.' }),
    ];
    const doubts = ['not_changed', 'not_there', 'not_quoted', 'not_quoted', 'other_code'];
    assert.deepEqual(
      standings(...invented),
      doubts.map((doubt) => `unfounded: ${doubt}`),
    );
  });

  it('takes the line where the quoted code is, and code that was removed', () => {
    const [miscounted, removed] = checkClaims({
      claims: [
        claim({ line: 14 }),
        claim({ line: null, evidence: '-  return hello(name);', claim: 'It was needed.' }),
      ],
      diff,
      place,
    });
    assert.deepEqual([miscounted?.line, miscounted?.standing], [11, 'fix']);
    assert.deepEqual([removed?.line, removed?.standing], [null, 'fix']);
  });

  it('finds a file by the name that a diff gives it', () => {
    assert.deepEqual(
      standings(claim({ file: 'b/src/greet.ts' }), claim({ file: './src/greet.ts', claim: 'Another one.' })),
      ['fix', 'fix'],
    );
  });

  it('counts the same claim once', () => {
    assert.equal(standings(claim(), claim({ claim: 'it says NOTHING' })).length, 1);
    assert.equal(standings(claim({ claim: '没有问候' }), claim({ claim: '没有名字' })).length, 2);
  });

  it('notes what is low, and fixes what is medium only among more than five', () => {
    const medium = Array.from({ length: 6 }, (_, index) =>
      claim({ severity: 'medium', claim: `Risk ${String(index)}.` }),
    );
    assert.deepEqual(standings(claim({ severity: 'low', confidence: 0.1 })), ['noted']);
    assert.deepEqual(
      standings(...medium.slice(0, 5)),
      Array.from({ length: 5 }, () => 'noted'),
    );
    assert.deepEqual(
      standings(...medium),
      Array.from({ length: 6 }, () => 'fix'),
    );
    // Those that nobody believes don't make it many.
    assert.equal(standings(...medium.slice(0, 5), claim({ file: 'x' }))[0], 'noted');
  });

  it('looks in a later round for what the fix left, and for nothing else outside of it', () => {
    const fix = diff.replaceAll('src/greet.ts', 'src/other.ts');
    const [earlier] = checkClaims({ claims: [claim()], diff, place });
    assert.ok(earlier);
    const whole = `${diff}${diff.replaceAll('src/greet.ts', 'src/third.ts')}`;
    const found = checkClaims({
      claims: [claim(), claim({ file: 'src/other.ts' }), claim({ file: 'src/third.ts' })],
      diff: fix,
      place: { ...place, round: 2 },
      again: { whole, earlier: [earlier] },
    });
    assert.deepEqual(
      found.map(({ standing }) => standing),
      ['fix', 'fix', 'unfounded'],
    );
  });
});

const sides = ['old', 'now'];

/** What git finds to be different in two folders. It ends with 1 when something is. */
function differenceIn(cwd: string): string {
  const { status, stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', ...sides], {
    cwd,
    encoding: 'utf8',
  });
  assert.ok(status === 0 || status === 1);
  return stdout;
}

describe('hunksOf', () => {
  it('finds each line where git says that it is, whatever the files hold', function () {
    this.timeout(60_000);
    const folder = tempFolder('diff');
    const line = fc.constantFrom(
      'a',
      '',
      '--- a/x',
      '+++ b/x',
      '@@ -1 +1 @@',
      '\\ No newline',
      'tab\there',
      'ü',
    );
    const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'));
    const names = ['plain.txt', 'with space.txt', 'ü "quoted".txt'];
    try {
      fc.assert(
        fc.property(fc.array(fc.tuple(text, text), { minLength: 3, maxLength: 3 }), (files) => {
          for (const [side, name] of sides.entries()) {
            mkdirSync(join(folder.path, name), { recursive: true });
            files.forEach((texts, index) =>
              writeFileSync(join(folder.path, name, names[index] ?? ''), texts[side] ?? ''),
            );
          }
          const hunks = hunksOf(differenceIn(folder.path));
          for (const [index, [old, now]] of files.entries()) {
            const found = hunks.get(`now/${names[index] ?? ''}`) ?? [];
            assert.equal(found.length > 0, old !== now);
            const lines = now.split('\n');
            for (const { start, after } of found)
              assert.deepEqual(after, lines.slice(start - 1, start - 1 + after.length));
          }
        }),
        { numRuns: 30 },
      );
    } finally {
      folder.remove();
    }
  });
});
