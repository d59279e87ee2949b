import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Persona } from '../../../domain/personas/persona.ts';
import type { PromptSource } from '../../../engine/ports/ports.ts';

/**
 * Loads personas by their ids, apart from what asks them: a draft is checked where nobody asks a model.
 * Throws PERSONA_REFUSED (docs/decisions/135-personas.md).
 */
export async function loadPersonas(
  prompts: Pick<PromptSource, 'personas'>,
  ids: readonly string[],
): Promise<readonly Persona[]> {
  const entries = await prompts.personas();
  return ids.map((id) => {
    const found = entries.filter((entry) => entry.id === id);
    const broken = found.find(({ problem }) => problem !== '');
    if (broken)
      throw new BeadsmithError('PERSONA_REFUSED', {
        persona: id,
        reason: `${broken.path}: ${broken.problem}`,
      });
    const [entry] = found;
    if (entry?.persona) return entry.persona;
    const known = entries.map((one) => one.id).join(', ') || '(none)';
    throw new BeadsmithError('PERSONA_REFUSED', {
      persona: id,
      reason: `there is none of this id; there are: ${known}`,
    });
  });
}
