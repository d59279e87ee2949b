import assert from 'node:assert/strict';
import {
  commandFailure,
  Failure,
  failure,
  failureBehind,
  failureCauses,
  failureText,
} from '../../../../src/domain/beads/failure.ts';
import { BeadsmithError, errorRecord, fromRecord } from '../../../../src/domain/core/errors.ts';
import type { Evidence } from '../../../../src/domain/core/evidence.ts';
import { printed } from '../../../support/printed.ts';

describe('a failure', () => {
  it('has a sentence and a next step without a hole for every cause', () => {
    const args = {
      command: 'npm test',
      exit: 1,
      signal: 'SIGKILL',
      seconds: 60,
      times: 3,
      reason: 'no answer',
      hosts: '`a`',
      service: 'database',
      hook: 'pre-commit',
      check: 'test',
      step: 'npm test',
    };
    for (const cause of Object.keys(failureCauses) as (keyof typeof failureCauses)[]) {
      const { reason, advice } = failureText(failure(cause, args));
      assert.doesNotMatch(reason + advice, /[{}]/, cause);
      assert.match(advice, /\.$/, cause);
    }
  });

  it('names how a command ended, and the limit if one ended it', () => {
    const of = (more: Partial<Evidence>) => commandFailure(printed('red\n', { exitCode: 1, ...more }));
    const causes = [
      of({}),
      of({ exitCode: null, signal: 'SIGKILL' }),
      of({ exitCode: null }),
      of({ bootstrap: true }),
    ];
    assert.deepEqual(
      causes.map(({ cause, limit }) => [cause, limit]),
      [
        ['checks_failed', null],
        ['check_killed', null],
        ['check_not_started', null],
        ['setup_failed', null],
      ],
    );
    const timedOut = { exitCode: null, signal: 'SIGTERM', timedOut: true };
    assert.equal(of(timedOut).limit, 'commandTimeout');
    assert.equal(of({ ...timedOut, limit: { setting: 'x', ms: 180_000, times: 3 } }).args['seconds'], 180);
  });

  it('shows the end of an output without secrets, colors and control characters', () => {
    const output = `${'x\n'.repeat(50)}\u001B[31mred\u001B[0m token=ghp_0123456789abcdef0123\u0007\n\n`;
    const { output: shown } = failure('marker', {}, { about: output });
    assert.equal(shown.split('\n').length, 20);
    assert.match(shown, /x\nred token=<secret>$/);
    assert.ok(failure('marker', {}, { about: 'y'.repeat(9_000) }).output.length <= 2_000);
  });

  it('survives the database as part of an error', () => {
    const why = failure('no_progress', { times: 3 });
    const error = new BeadsmithError(
      'BEAD_RETRY_BUDGET_EXHAUSTED',
      { bead: 'a', iterations: 3, ...failureText(why) },
      { diagnostics: { failure: why } },
    );
    const { diagnostics } = fromRecord(errorRecord(error));
    assert.deepEqual(failureBehind(diagnostics), Failure.parse(why));
    assert.equal(failureBehind({ failure: 'quota' }), undefined);
  });

  it('leaves no hole in an error that was stored without one', () => {
    const old = fromRecord({
      code: 'BEAD_RETRY_BUDGET_EXHAUSTED',
      args: { bead: 'a', iterations: 2 },
      continuable: false,
      diagnostics: {},
    });
    assert.equal(old.message, 'Bead a failed (iterations: 2).');
    assert.equal(old.nextStep, 'Read its notes, then retry with a note.');
  });
});
