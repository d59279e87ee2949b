import { type Failure, failure } from '../../../domain/beads/failure.ts';
import type { BeadsmithError } from '../../../domain/core/errors.ts';
import { type Limits, timeoutMs } from '../../../domain/settings/settings.ts';

export function setupCallFailure(error: BeadsmithError, limits: Limits): Failure {
  const { code, message } = error;
  const about = message;
  if (code === 'LIMIT_EXPIRED') {
    const seconds = Math.round(timeoutMs(limits.executionSetupTimeout) / 1_000);
    return failure('setup_timed_out', { seconds }, { limit: 'executionSetupTimeout', about });
  }
  return code === 'RESPONSE_INVALID'
    ? failure('model_failed', { reason: message }, { about })
    : callFailure(error, limits);
}

export function callFailure(error: BeadsmithError, limits: Limits, about: string = error.message): Failure {
  const { code, message } = error;
  if (code === 'LIMIT_EXPIRED') {
    const seconds = Math.round(timeoutMs(limits.perIterationTimeout) / 1_000);
    return failure('timed_out', { seconds }, { limit: 'perIterationTimeout', about });
  }
  if (code === 'SESSION_LOST') return failure('session_lost', {}, { about });
  if (code === 'CONTEXT_OVERFLOW') return failure('context_overflow', {}, { about });
  if (code === 'AGENT_LOOP') return failure('tool_loop', {}, { about });
  if (code === 'RESPONSE_INVALID') return failure('marker', {}, { about });
  return failure('model_failed', { reason: message }, { about });
}
