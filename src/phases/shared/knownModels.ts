import { modelOf } from '../../domain/council/council.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Ports } from '../../engine/ports/ports.ts';

/** Throws MODEL_UNKNOWN unless a connected provider lists each. Variants aren't listed anywhere. */
export async function checkModels(
  { agent }: Pick<Ports, 'agent'>,
  worktree: string | null,
  models: ReadonlySet<string>,
): Promise<void> {
  if (models.size === 0) return;
  const known = await agent.models(worktree ?? undefined);
  for (const model of models) {
    if (known.includes(modelOf(model))) continue;
    throw new BeadsmithError('MODEL_UNKNOWN', { model, models: known.slice(0, 20).join(', ') || '(none)' });
  }
}
