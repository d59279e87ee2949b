import type * as z from 'zod';
import type { MemberOutcome } from '../../domain/council.ts';
import { toBeadsmithError } from '../../domain/errors.ts';

/** How a member's failed part ended, and why (LoopTroop 4.2). */
export function memberOutcome(error: unknown): { readonly outcome: z.infer<typeof MemberOutcome>; readonly error: string } {
  const known = toBeadsmithError(error);
  const outcome =
    known.code === 'LIMIT_EXPIRED'
      ? 'timed_out'
      : known.code === 'RESPONSE_INVALID' || known.code === 'OUTPUT_TRUNCATED'
        ? 'invalid_output'
        : 'failed';
  return { outcome, error: known.message };
}
