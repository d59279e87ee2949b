import { BeadsmithError, type ErrorCode } from '../../domain/errors.ts';

/** What a model call can come to that is a failure of the work, not of the run: a fresh session may do better. */
export const failedCall: readonly ErrorCode[] = ['RESPONSE_INVALID', 'OUTPUT_TRUNCATED', 'LIMIT_EXPIRED', 'SESSION_LOST'];

/** What a call may come to whose answer has a substitute: everything but the errors that speak of the run as a whole. */
export const replaceableCall: readonly ErrorCode[] = [
  ...failedCall,
  'PROVIDER_AUTH',
  'PROVIDER_QUOTA',
  'PROVIDER_ERROR',
  'OPENCODE_GONE',
  'OPENCODE_START_FAILED',
  'MODEL_UNKNOWN',
  'CONTEXT_OVER_BUDGET',
];

/** Whether an error is a final one of these codes. One that can be continued belongs to the engine and must be thrown on. */
export function isFailureOf(error: unknown, codes: readonly ErrorCode[]): error is BeadsmithError {
  return error instanceof BeadsmithError && !error.continuable && codes.includes(error.code);
}
