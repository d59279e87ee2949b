import { createTwoFilesPatch } from 'diff';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { CallTexts } from '../../protocol/history.ts';

/** More lines around a difference would print two prompts again. */
const linesAround = 3;
/** Two texts that have nothing in common are compared no longer than this, milliseconds. */
const longestComparison = 5_000;

/**
 * Returns the differences between the texts of two prompts as a patch (docs/prompt-cache.md). Throws
 * INVALID_INPUT for prompts that have too little in common.
 */
export function promptPatch(
  before: Pick<CallTexts, 'prompt' | 'input'>,
  now: Pick<CallTexts, 'prompt' | 'input'>,
): string {
  if (before.input === now.input) return 'The prompts are the same.';
  const options = { context: linesAround, timeout: longestComparison };
  const patch = createTwoFilesPatch(
    before.prompt,
    now.prompt,
    before.input,
    now.input,
    undefined,
    undefined,
    options,
  );
  if (patch === undefined)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'The comparison',
      reason: 'the prompts have too little in common',
    });
  return patch;
}
