import * as z from 'zod';
import { filled, type Words } from '../core/errors.ts';
import { forgeTexts } from './forgeTexts.ts';

/** The commit that a merge makes of a branch. */
export const MergeKind = z.enum(['merge', 'squash', 'rebase']);
export type MergeKind = z.infer<typeof MergeKind>;

/**
 * A merge of an open pull request on its forge. `kinds`: those that the repository allows; `usual`: the one
 * that it offers first. `auto`: the forge merges it this way once all is there that is required; `mayAuto`:
 * the repository allows that. `isQueued`: it waits in the merge queue, which the base branch requires if
 * `hasQueue`.
 */
export const Merging = z.object({
  kinds: z.array(MergeKind).max(3),
  usual: MergeKind.nullable(),
  mayAuto: z.boolean(),
  auto: MergeKind.nullable(),
  hasQueue: z.boolean(),
  isQueued: z.boolean(),
});
export type Merging = z.infer<typeof Merging>;

/** The allowed kinds, the one that is meant without a choice first. `isSquashed`: by the ticket's setting. */
export function offeredKinds(
  { kinds, usual }: Pick<Merging, 'kinds' | 'usual'>,
  isSquashed = false,
): readonly MergeKind[] {
  const first = [usual, isSquashed ? ('squash' as const) : ('merge' as const)].find(
    (kind) => kind !== null && kinds.includes(kind),
  );
  return first ? [first, ...kinds.filter((kind) => kind !== first)] : kinds;
}

/** True if the forge merges it without another decision of a person. */
export function isDue(merging: Merging | null): boolean {
  return merging !== null && (merging.isQueued || merging.auto !== null);
}

/** A planned merge in words; empty without one. */
export function mergingLine(merging: Merging | null, words: Words = filled): string {
  if (merging?.isQueued) return words(forgeTexts.queued, {});
  if (!merging?.auto) return '';
  return merging.hasQueue
    ? words(forgeTexts.joinsQueue, {})
    : words(forgeTexts.mergesWhenReady, { kind: merging.auto });
}
