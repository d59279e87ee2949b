import assert from 'node:assert/strict';
import type { Evidence } from '../../../../src/domain/core/evidence.ts';
import { baselineCheck, compareWithBaseline } from '../../../../src/domain/proof/baseline.ts';
import { printed } from '../../../support/printed.ts';

const evidence = (text: string, change: Partial<Evidence> = {}) => printed(text, { exitCode: 1, ...change });
const tap = (...failed: readonly string[]) =>
  evidence(['TAP version 13', ...failed.map((name) => `not ok 1 - ${name}`)].join('\n'));
const green = evidence('TAP version 13\nok 1 - a', { exitCode: 0 });

describe('baseline', () => {
  it('counts every failure of a command that was green', () => {
    const before = baselineCheck('test', [green]);
    assert.deepEqual(compareWithBaseline(tap('b'), before), { verdict: 'new', names: ['b'] });
    assert.deepEqual(compareWithBaseline(evidence('Segmentation fault'), before), {
      verdict: 'new',
      names: [],
    });
    assert.deepEqual(compareWithBaseline(tap('b'), undefined), { verdict: 'new', names: ['b'] });
    assert.deepEqual(compareWithBaseline(green, before), { verdict: 'passed' });
  });

  it('counts only what a red base does not know', () => {
    const before = baselineCheck('test', [tap('a', 'b')]);
    assert.deepEqual(compareWithBaseline(tap('b'), before), { verdict: 'known' });
    assert.deepEqual(compareWithBaseline(tap('b', 'c'), before), { verdict: 'new', names: ['c'] });
    assert.deepEqual(
      compareWithBaseline(tap(), before),
      { verdict: 'new', names: [] },
      'it fails without a failed test',
    );
    assert.deepEqual(compareWithBaseline(evidence('', { timedOut: true }), before), {
      verdict: 'new',
      names: [],
    });
  });

  it('calls flaky what fails in one of two runs, and never counts it', () => {
    const before = baselineCheck('test', [tap('a', 'b'), tap('b')]);
    assert.deepEqual([before.failed, before.flaky, before.passed], [['b'], ['a'], false]);
    assert.deepEqual(compareWithBaseline(tap('a', 'b'), before), { verdict: 'known' });
    const passing = baselineCheck('test', [tap('a'), green]);
    assert.deepEqual([passing.failed, passing.flaky, passing.passed], [[], ['a'], true]);
    assert.deepEqual(compareWithBaseline(tap('a'), passing), { verdict: 'known' });
  });

  it('compares complaints of linters and compilers by their text, wherever they moved', () => {
    const before = baselineCheck('lint', [evidence('src/a.ts:3:1 error No var\nsrc/a.ts:9:1 error No var')]);
    assert.deepEqual(
      compareWithBaseline(evidence('src/a.ts:5:1 error No var\nsrc/a.ts:11:1 error No var'), before),
      { verdict: 'known' },
    );
    const more = evidence('src/a.ts:5:1 error No var\nsrc/a.ts:6:1 error No var\nsrc/a.ts:11:1 error No var');
    assert.deepEqual(compareWithBaseline(more, before), {
      verdict: 'new',
      names: ['src/a.ts:#:# error No var (3)'],
    });
  });

  it('says that it can not tell, if the output names nothing', () => {
    assert.deepEqual(compareWithBaseline(evidence('failed'), baselineCheck('build', [evidence('failed')])), {
      verdict: 'unclear',
    });
  });
});
