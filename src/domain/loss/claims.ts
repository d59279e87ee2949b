import type { Comparison, Loss } from './compare.ts';
import { type ClaimedResolution, isSameText, isSection, mentionsItem } from './declared.ts';
import type { OutlineItem } from '../documents/base/outline.ts';

/** The comparison of two versions, in both directions. */
export interface Difference {
  readonly lost: Comparison;
  /** Its losses are the additions. */
  readonly gained: Comparison;
}

type Affected = ClaimedResolution['affected_items'][number];

/** The reasons why a revision's resolutions aren't true. */
export function claimProblems(
  difference: Difference,
  resolutions: readonly ClaimedResolution[],
): readonly string[] {
  return resolutions.flatMap((resolution): readonly string[] => {
    const { gap, action, affected_items: items } = resolution;
    if (!action.startsWith('updated')) return [];
    if (items.length === 0)
      return isUnchanged(difference)
        ? [`The gap "${gap}": ${action}, but nothing of the document changed.`]
        : [];
    return items
      .filter((item) => !isChanged(difference, item))
      .map((item) => `The gap "${gap}": ${action}, but ${affectedName(item)} is what it was.`);
  });
}

/** Proved resolutions; `left_unresolved` without any proof. */
export function provedResolutions<T extends ClaimedResolution>(
  difference: Difference,
  resolutions: readonly T[],
): readonly T[] {
  return resolutions.map((resolution) => {
    const { action, affected_items: items, rationale } = resolution;
    if (!action.startsWith('updated')) return resolution;
    const real = items.filter((item) => isChanged(difference, item));
    if (items.length === 0 ? !isUnchanged(difference) : real.length > 0)
      return { ...resolution, affected_items: real };
    const said = `It was said to be done (${action}), and the document doesn't show it. ${rationale}`.trim();
    return { ...resolution, action: 'left_unresolved', rationale: said, affected_items: [] };
  });
}

function isUnchanged({ lost, gained }: Difference): boolean {
  return lost.losses.length === 0 && gained.losses.length === 0;
}

function isChanged({ lost, gained }: Difference, affected: Affected): boolean {
  const names = [affected.id, affected.label].filter((name) => name.trim() !== '');
  const losses = [...lost.losses, ...gained.losses];
  const isNamed = (item: OutlineItem, loss?: Loss): boolean =>
    item.parent !== undefined &&
    (mentionsItem(names, item, loss?.field, loss?.index) || isNamed(item.parent));
  if (losses.some((loss) => isNamed(loss.item, loss) || names.some((name) => isSameText(name, loss.text))))
    return true;
  // Other texts are named by their list.
  if (
    [...lost.before, ...gained.before].some((item) => item.parent !== undefined && mentionsItem(names, item))
  )
    return false;
  return losses.some(
    (loss) => !loss.item.parent && [...names, affected.item_type].some((name) => isSection(name, loss.field)),
  );
}

function affectedName({ item_type, id, label }: Affected): string {
  return [item_type.replaceAll('_', ' '), id, label === '' ? '' : `"${label}"`]
    .filter((word) => word !== '')
    .join(' ');
}
