import { modelOf } from '../../../domain/council/council.ts';
import { type BeadsmithError, toBeadsmithError } from '../../../domain/core/errors.ts';
import { interrupts } from '../../../engine/run/branches.ts';
import type { Run } from '../../../engine/run/run.ts';

/** A council's member, or a party's persona. `id`: name of its branch, so part of its step keys. */
export interface Voice {
  readonly id: string;
  readonly member: string;
}

/** Both in the order of the voices. */
export interface Panel<V extends Voice, T> {
  readonly answers: readonly { readonly voice: V; readonly answer: T }[];
  readonly missing: readonly { readonly voice: V; readonly error: BeadsmithError }[];
}

/**
 * Asks voices one question, each in a branch of its own. Of voices with the same model the first goes alone,
 * so that the others find their prompt's beginning in the provider's cache; other models wait for nobody.
 */
export async function askPanel<V extends Voice, T>(
  run: Run,
  voices: readonly V[],
  question: (branch: Run, voice: V) => Promise<T>,
): Promise<Panel<V, T>> {
  const ahead = new Map<string, Promise<T>>();
  const branches = voices.map((voice) => {
    const ask = async (branch: Run): Promise<T> => {
      const model = modelOf(voice.member);
      const first = ahead.get(model);
      if (first) await first.catch(passOver);
      const answer = question(branch, voice);
      if (!first) ahead.set(model, answer);
      return answer;
    };
    return [voice.id, ask] as const;
  });
  const settled = await run.all(Object.fromEntries(branches));
  const answers: Panel<V, T>['answers'][number][] = [];
  const missing: Panel<V, T>['missing'][number][] = [];
  for (const voice of voices) {
    const outcome = settled[voice.id];
    if (outcome?.ok) answers.push({ voice, answer: outcome.value });
    else missing.push({ voice, error: toBeadsmithError(outcome?.error) });
  }
  return { answers, missing };
}

/** Nobody is asked any more for a run that is interrupted. */
function passOver(error: unknown): void {
  if (interrupts(error)) throw error;
}
