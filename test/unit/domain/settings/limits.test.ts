import assert from 'node:assert/strict';
import { failure } from '../../../../src/domain/beads/failure.ts';
import type { ErrorCode } from '../../../../src/domain/core/errors.ts';
import { limitsBehind } from '../../../../src/domain/beads/limitsBehind.ts';
import {
  limitNames,
  LimitsChange,
  limitsHash,
  TicketLimits,
  withChange,
} from '../../../../src/domain/settings/limits.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';

const present = TicketLimits.parse({});

describe('LimitsChange', () => {
  it('takes some limits and leaves the others out, where a start would fill in its defaults', () => {
    const change = LimitsChange.parse({ maxIterations: 8 });
    assert.deepEqual(change, { maxIterations: 8 });
    assert.deepEqual(withChange({ ...present, tokenCap: 77 }, change), {
      ...present,
      tokenCap: 77,
      maxIterations: 8,
    });
  });

  it('knows every limit, and the range of each', () => {
    for (const name of limitNames)
      assert.equal(LimitsChange.safeParse({ [name]: present[name] }).success, true, name);
    assert.equal(LimitsChange.safeParse({ maxIterations: 21 }).success, false);
    assert.equal(LimitsChange.safeParse({ perIterationTimeout: 3_600_001 }).success, false);
    assert.equal(LimitsChange.safeParse({ maxItterations: 8 }).success, false, 'a limit that nobody knows');
  });

  it('is about one limit at least', () => {
    assert.equal(LimitsChange.safeParse({}).success, false);
    assert.equal(LimitsChange.safeParse({ tokenCap: undefined }).success, false);
  });
});

describe('limitsHash', () => {
  it('differs with every limit, and with nothing else', () => {
    assert.equal(
      limitsHash(present),
      limitsHash(TicketLimits.parse(Object.fromEntries(Object.entries(present).toReversed()))),
    );
    assert.equal(
      new Set(limitNames.map((name) => limitsHash({ ...present, [name]: present[name] + 1 }))).size,
      limitNames.length,
    );
  });
});

describe('limitsBehind', () => {
  const behind = (code: ErrorCode, from: Status, timedOut = false) =>
    limitsBehind({ code, diagnostics: { timedOut } }, from);

  it('offers exactly the limit that ended the work first', () => {
    const timedOut = failure(
      'check_timed_out',
      { command: 'npm test', seconds: 60 },
      { limit: 'commandTimeout' },
    );
    const of = (why: unknown) =>
      limitsBehind({ code: 'BEAD_RETRY_BUDGET_EXHAUSTED', diagnostics: { failure: why } }, 'CODING');
    assert.deepEqual(of(timedOut), ['commandTimeout', 'maxIterations']);
    assert.deepEqual(of(failure('marker')), ['maxIterations'], 'no time limit ended it');
  });

  it('names the limit that would have to be higher', () => {
    assert.equal(behind('BEAD_RETRY_BUDGET_EXHAUSTED', 'CODING')[0], 'maxIterations');
    assert.deepEqual(behind('BUDGET_EXHAUSTED', 'DRAFTING_PRD'), ['tokenCap']);
    assert.deepEqual(behind('CONTEXT_OVER_BUDGET', 'CODING'), ['tokenBudget']);
    assert.deepEqual(behind('LIMIT_EXPIRED', 'PREPARING_EXECUTION_ENV'), ['executionSetupTimeout']);
    assert.deepEqual(behind('LIMIT_EXPIRED', 'RUNNING_FINAL_TEST'), ['perIterationTimeout']);
    assert.deepEqual(behind('LIMIT_EXPIRED', 'SCANNING_RELEVANT_FILES'), ['councilResponseTimeout']);
  });

  it('names none where a limit wasn’t the cause', () => {
    assert.deepEqual(behind('PROVIDER_AUTH', 'CODING'), []);
    assert.deepEqual(
      [behind('QUORUM_NOT_MET', 'DRAFTING_PRD'), behind('QUORUM_NOT_MET', 'DRAFTING_PRD', true)],
      [[], ['councilResponseTimeout']],
    );
  });
});
