import type { Reply } from './quickInput.ts';

/** One question of a row of them: it gets what was said so far, and its own place in the row. */
export type Step<State> = (
  known: State,
  place: { readonly step: number; readonly steps: number; readonly back: boolean },
) => Promise<Reply<State>>;

/**
 * Asks one thing after the other; Back returns to the question before, and nothing that was said is lost.
 * Undefined when the person left.
 */
export async function askInSteps<State>(
  start: State,
  steps: readonly Step<State>[],
): Promise<State | undefined> {
  let known = start;
  for (let at = 0; ;) {
    const step = steps[at];
    if (!step) return known;
    const reply = await step(known, { step: at + 1, steps: steps.length, back: at > 0 });
    if (reply.kind === 'left') return undefined;
    if (reply.kind === 'given') known = reply.value;
    at += reply.kind === 'given' ? 1 : at > 0 ? -1 : 0;
  }
}
