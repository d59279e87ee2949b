import { BeadsmithError } from '../../domain/errors.ts';
import type { RecordIo } from '../../engine/run.ts';

/**
 * Checks the ticket's cap before a call (rule 12). Throws BUDGET_EXHAUSTED, continuable: with a higher cap the same step goes on.
 * The cap is the whole ticket's, so the one that holds now counts, not the run's. Every token counts, also those a cache gave.
 */
export async function checkTokenCap(io: RecordIo): Promise<void> {
  const { tokenCap = 0 } = (await io.ports.store.ticket(io.ticket))?.limits ?? {};
  if (tokenCap === 0) return;
  let used = 0;
  for (const usage of await io.ports.store.usage(io.ticket))
    used += usage.input + usage.output + usage.reasoning + usage.cacheRead + usage.cacheWrite;
  if (used >= tokenCap) throw new BeadsmithError('BUDGET_EXHAUSTED', { used, cap: tokenCap }, { continuable: true });
}
