import type { ErrorRecord } from '../core/errors.ts';
import { type LimitName, limitNames } from '../settings/limits.ts';
import type { Status } from '../workflow/workflow.ts';
import { failureBehind } from './failure.ts';

/** Limits that may have caused a block in `from`, likeliest first. */
export function limitsBehind(
  { code, diagnostics }: Pick<ErrorRecord, 'code' | 'diagnostics'>,
  from: Status | null,
): readonly LimitName[] {
  const failure = failureBehind(diagnostics);
  if (failure) return failure.limit === null ? ['maxIterations'] : [failure.limit, 'maxIterations'];
  switch (code) {
    case 'BEAD_RETRY_BUDGET_EXHAUSTED':
    case 'FINAL_TEST_FAILED':
    case 'SETUP_FAILED':
      return ['maxIterations', timeoutOf(from)];
    case 'LIMIT_EXPIRED':
      return [named(diagnostics) ?? timeoutOf(from)];
    case 'QUORUM_NOT_MET':
      return diagnostics['timedOut'] === true ? ['councilResponseTimeout'] : [];
    case 'BUDGET_EXHAUSTED':
      return [named(diagnostics) ?? 'tokenCap'];
    case 'COST_CAP_REACHED':
      return [named(diagnostics) ?? 'costCap'];
    case 'TIME_CAP_REACHED':
      return [named(diagnostics) ?? 'timeCap'];
    case 'CONTEXT_OVER_BUDGET':
      return ['tokenBudget'];
    default:
      return limitNames.filter((name) => name === diagnostics['limit']);
  }
}

function named(diagnostics: ErrorRecord['diagnostics']): LimitName | undefined {
  return limitNames.find((name) => name === diagnostics['limit']);
}

function timeoutOf(status: Status | null): LimitName {
  if (status === 'PREPARING_EXECUTION_ENV') return 'executionSetupTimeout';
  return status === 'CODING' || status === 'RUNNING_FINAL_TEST'
    ? 'perIterationTimeout'
    : 'councilResponseTimeout';
}
