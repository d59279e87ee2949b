import { BeadsmithError } from '../../domain/errors.ts';
import type { Limits } from '../../domain/settings.ts';
import type { RecordIo } from '../../engine/run.ts';

/**
 * Checks the ticket's cap before a call (rule 12). Throws BUDGET_EXHAUSTED, continuable: with a higher cap the same step goes on.
 * Every token counts, also those a cache gave.
 */
export async function checkTokenCap(io: RecordIo, limits: Limits): Promise<void> {
  if (limits.tokenCap === 0) return;
  let used = 0;
  for (const usage of await io.ports.store.usage(io.ticket))
    used += usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite;
  if (used >= limits.tokenCap) throw new BeadsmithError('BUDGET_EXHAUSTED', { used, cap: limits.tokenCap }, { continuable: true });
}
