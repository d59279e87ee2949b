import { filled, type Words } from '../domain/core/errors.ts';
import { type ContextKey, contextKeys } from '../domain/workflow/contextKeys.ts';
import type { PromptPlan } from '../domain/usage/promptPlan.ts';
import { allowlists, heldBack, isDenied } from './allowlists.ts';
import { sectionAllowed, type SectionName, sectionTable } from './sections.ts';
import { type SliceName, sliceNames } from './slices.ts';

/**
 * The reason for a missing part. `dropped`: over budget. `not-allowed`: not in such calls
 * (docs/decisions/039-context-slices-and-allowlists.md). `denied`: never for a judge.
 */
export type LeftOutReason = 'excluded' | 'dropped' | 'empty' | 'not-allowed' | 'denied';

/** Sentences of the reasons. */
export const leftOutTexts: Readonly<Record<LeftOutReason, string>> = {
  excluded: 'Left out by you',
  dropped: 'Left out because the prompt exceeded its budget',
  empty: 'Empty',
  denied: 'Never sent to a reviewer',
  'not-allowed': 'Not sent with calls of this kind',
};

/** Sentences about reduced parts. */
export const reductionTexts = {
  shrunk: '{0} was shortened from {1} to {2} tokens',
  gone: '{0} was left out: {1} tokens',
} as const;

/** A sentence about a reduced part. */
export function reductionText(
  { name, action, tokensBefore, tokensAfter }: PromptPlan['reductions'][number],
  words: Words = filled,
): string {
  return words(reductionTexts[action === 'shrunk' ? 'shrunk' : 'gone'], {
    0: name,
    1: tokensBefore,
    2: tokensAfter,
  });
}

export interface LeftOut {
  readonly name: string;
  readonly kind: 'slice' | 'section';
  readonly reason: LeftOutReason;
}

/** All missing parts with their reasons; allowed ones first. */
export function notIncluded({
  contextKey,
  parts,
  reductions,
}: Pick<PromptPlan, 'contextKey' | 'parts' | 'reductions'>): readonly LeftOut[] {
  const key = contextKeys.find((one) => one === contextKey);
  if (!key) return [];
  const here = new Set(parts.map(({ name }) => name));
  const reduced = new Map(reductions.map(({ name, action }) => [name, action]));
  const reasonOf = (name: SliceName | SectionName, isAllowed: boolean): LeftOutReason => {
    const action = reduced.get(name);
    if (action === 'dropped' || action === 'excluded') return action;
    return isDenied(name, key) ? 'denied' : isAllowed ? 'empty' : 'not-allowed';
  };
  const all: readonly LeftOut[] = [
    ...sliceNames.map((name) => ({
      name,
      kind: 'slice' as const,
      reason: reasonOf(name, sliceAllowed(name, key)),
    })),
    ...(Object.keys(sectionTable) as SectionName[]).map((name) => ({
      name,
      kind: 'section' as const,
      reason: reasonOf(name, sectionAllowed(name, key)),
    })),
  ];
  const order: readonly LeftOutReason[] = ['excluded', 'dropped', 'empty', 'denied', 'not-allowed'];
  return all
    .filter(({ name }) => !here.has(name))
    .toSorted((one, other) => order.indexOf(one.reason) - order.indexOf(other.reason));
}

function sliceAllowed(name: SliceName, key: ContextKey): boolean {
  return allowlists[key].includes(name) && heldBack[key]?.includes(name) !== true;
}
