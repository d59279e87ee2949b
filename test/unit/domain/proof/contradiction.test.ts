import assert from 'node:assert/strict';
import { type Evidence, passed } from '../../../../src/domain/core/evidence.ts';
import { baselineCheck } from '../../../../src/domain/proof/baseline.ts';
import { contradictionOf, contradictionText } from '../../../../src/domain/proof/contradiction.ts';
import { printed } from '../../../support/printed.ts';

const green = printed('TAP version 13\nok 1 - a\nok 2 - b\n1..2');
const none = printed('TAP version 13\n');
const red = printed('TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2');
const before = (run: Evidence) => baselineCheck('test', [run]);

describe('an exit code of 0', () => {
  it('is denied by tests that failed', () => {
    assert.deepEqual(contradictionOf(red, before(green)), { failed: ['b'], expected: null });
    assert.deepEqual(contradictionOf(red, undefined), { failed: ['b'], expected: null });
    assert.equal(contradictionText({ failed: ['b'], expected: null }), 'but these tests failed: b');
  });

  it('is denied by tests that ran on the base and don’t any more', () => {
    assert.deepEqual(contradictionOf(none, before(green)), { failed: [], expected: 2 });
    assert.match(contradictionText({ failed: [], expected: 2 }), /none of the 2 tests ran/);
    const file = printed('TAP version 13\nok 1 - sum.test.js\n1..1');
    assert.deepEqual(contradictionOf(file, before(green)), { failed: [], expected: 2 }, 'a file is no test');
  });

  it('is taken where tests fail on the base as well, and the command succeeds all the same', () => {
    assert.equal(contradictionOf(red, before(red)), undefined);
  });

  it('is taken where there were no tests, where nobody can tell, and where they pass', () => {
    assert.equal(contradictionOf(none, before(none)), undefined);
    assert.equal(contradictionOf(printed('built'), before(green)), undefined, 'another reporter');
    assert.equal(contradictionOf(green, before(green)), undefined);
    assert.equal(contradictionOf({ ...red, exitCode: 1 }, before(green)), undefined, 'it failed already');
  });

  it('is no pass where it is denied', () => {
    assert.equal(passed(red), true);
    assert.equal(passed({ ...red, contradicted: { failed: ['b'], expected: null } }), false);
  });
});
