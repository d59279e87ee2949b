import { parseMember } from '../council/council.ts';
import { councilOf, type Settings, StoredSettings } from '../settings/settings.ts';
import type { Abilities } from './abilities.ts';

/** Labels that a runner got by its owner are told apart from what it finds by itself. */
export const labelPrefix = 'label:';
const found = /^(?:sandbox|(?:tool|provider|label):.+)$/;
const label = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,59}$/;

/** A need as people write it: `sandbox`, `tool:docker` or a label of their own; undefined for no label. */
export function needOf(word: string): string | undefined {
  if (!label.test(word)) return undefined;
  return found.test(word) ? word : `${labelPrefix}${word}`;
}

/** The abilities that a ticket needs of its runner. `words`: what its repository needs. */
export function needsOf(stored: unknown, words: string): readonly string[] {
  const settings = StoredSettings.safeParse(stored).data;
  const named = words.split(' ').flatMap((word) => needOf(word) ?? []);
  return [...new Set([...named, ...(settings ? providersOf(settings) : [])])].sort();
}

function providersOf(settings: Settings): readonly string[] {
  const members = [...councilOf(settings), settings.review === 'off' ? '' : settings.reviewer];
  return members
    .filter((member) => member !== '')
    .map((member) => `provider:${parseMember(member).provider}`);
}

/**
 * The needs that a runner doesn't meet. One that hasn't told what its machine has may try; what its owner
 * named is known at once.
 */
export function lacking(can: Abilities, needs: readonly string[]): readonly string[] {
  const isUnknown = can['system'] === undefined;
  return needs.filter((need) => {
    if (isUnknown && !need.startsWith(labelPrefix)) return false;
    return need === 'sandbox' ? can[need] !== 'yes' : can[need] === undefined;
  });
}

/** Needs as people read them. */
export function needsText(needs: readonly string[]): string {
  return needs
    .map((need) => (need.startsWith(labelPrefix) ? need.slice(labelPrefix.length) : need.replace(':', ' ')))
    .join(', ');
}
