import assert from 'node:assert/strict';
import { failure } from '../../../../src/domain/beads/failure.ts';
import { type CheckRound, nextAnswer } from '../../../../src/domain/forge/checkRounds.ts';
import type { FailedCheck } from '../../../../src/domain/forge/failedCheck.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';

const minute = 60_000;
const start = Date.parse('2026-01-01T00:00:00Z');

function failed(conclusion: string, id: number | null = 1, onBase = false): FailedCheck {
  const about = failure('forge_check', { check: 'test', reason: conclusion });
  return { name: 'test', id, onBase, conclusion, failure: about };
}

function round(kind: CheckRound['kind'], runs: readonly number[]): CheckRound {
  const { commit } = forgeState().head;
  const at = new Date(start).toISOString();
  return { kind, by: 'setting', at, commit, checks: ['test'], runs: [...runs], request: 'a', end: null };
}

describe('the next answer to failed checks', () => {
  const answers = (failures: readonly FailedCheck[], rounds: readonly CheckRound[] = [], after = 0) =>
    nextAnswer(forgeState(), failures, rounds, start + after);

  it('is a rerun, then a fix of what code can fix', () => {
    for (const conclusion of ['failure', 'timed_out']) {
      assert.equal(answers([failed(conclusion)]), 'rerun');
      assert.equal(answers([failed(conclusion, 2)], [round('rerun', [1])]), 'fix');
      assert.equal(answers([failed(conclusion, null)]), 'fix');
    }
  });

  it('is a person’s where no code can fix it, after it ran again once', () => {
    for (const conclusion of ['cancelled', 'action_required', 'stale', 'startup_failure', 'error', 'new']) {
      assert.equal(answers([failed(conclusion)]), 'rerun');
      assert.equal(answers([failed(conclusion, 2)], [round('rerun', [1])]), 'person');
      assert.equal(answers([failed(conclusion, null)]), 'person');
    }
    const both = [failed('cancelled', 2), failed('failure', 3)];
    assert.equal(answers(both, [round('rerun', [1])]), 'fix');
  });

  it('waits for a check that was started again, but not for ever', () => {
    const rounds = [round('rerun', [1])];
    assert.equal(answers([failed('failure')], rounds, minute), 'wait');
    assert.equal(answers([failed('failure')], rounds, 15 * minute), 'person');
    assert.equal(answers([failed('failure'), failed('failure', 2)], rounds, 15 * minute), 'person');
  });
});
