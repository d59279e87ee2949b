import assert from 'node:assert/strict';
import { exitCodes, exitOfBlocked } from '../../../src/cli/base/exitCodes.ts';
import { loopEnds } from '../../../src/domain/beads/passes.ts';
import type { ErrorCode } from '../../../src/domain/core/errors.ts';

describe('the exit code of a blocked ticket', () => {
  const of = (code: ErrorCode, end?: string) =>
    exitOfBlocked({ code, diagnostics: end === undefined ? {} : { end } });

  it('AT-32: is another one for each end of a loop that blocks', () => {
    const failed = 'BEAD_RETRY_BUDGET_EXHAUSTED';
    const codes = [
      ...(['BUDGET_EXHAUSTED', 'COST_CAP_REACHED', 'TIME_CAP_REACHED'] as const).map((code) => of(code)),
      ...['max_passes', 'stuck', 'aborted', 'timed_out'].map((end) => of(failed, end)),
    ];
    assert.deepEqual(codes, [11, 12, 13, 10, 14, 15, 16]);
    assert.deepEqual(
      [of(failed), of(failed, 'failed'), of(failed, 'unknown'), exitOfBlocked(null)],
      [4, 4, 4, 4],
    );
  });

  it('is shared by no two meanings', () => {
    const values = Object.values(exitCodes);
    assert.equal(new Set(values).size, values.length);
    for (const { exit } of Object.values(loopEnds)) assert.ok(exit === null || values.includes(exit));
    assert.equal(exitCodes.canceled, 5);
  });
});
