import { type Failure, failure } from '../../../domain/beads/failure.ts';
import type { BeadsmithError } from '../../../domain/errors.ts';
import { type Limits, timeoutMs } from '../../../domain/settings.ts';

/** Why a call of an agent came to nothing. `about`: what is to be read of it, if not the error's own words. */
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
