import { callShares } from './callCost.ts';
import type { ModelPrice } from './modelPrice.ts';
import type { BookedUsage } from './usageLedger.ts';

interface Sent {
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly price: ModelPrice | undefined;
}

const rest = {
  frame: '(tools, agent and difference)',
  later: '(later requests)',
  answer: '(answer)',
} as const;

/**
 * Divides an answer among its prompt's parts (docs/prompt-cache.md); tokens and cost add up to it. The
 * answer's own share counts as it. Without a report it stays whole; without a price, its cost does.
 */
export function partShares(booked: BookedUsage, { parts, price }: Sent): readonly BookedUsage[] {
  const shares = callShares(
    parts.map(({ tokens }) => tokens),
    booked,
    price,
  );
  if (!shares) return [booked];
  const isPriced = booked.cost > 0;
  const cost = isPriced ? shares.cost : null;
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, cost: 0 };
  const shareOf = (part: string, changes: Partial<BookedUsage>, isAnswer = false): BookedUsage => ({
    ...booked,
    ...none,
    part,
    share: { isAnswer, isPriced },
    ...changes,
  });
  const sent = [...shares.parts.map(({ tokens }) => tokens), shares.frame];
  const later = (kind: 'input' | 'cacheRead' | 'cacheWrite'): number =>
    booked[kind] - sent.reduce((sum, one) => sum + one[kind], 0);
  return [
    ...parts.map(({ name }, index) => {
      const share = shares.parts[index];
      return shareOf(name, { ...share?.tokens, cost: cost ? (share?.cost ?? 0) : 0 });
    }),
    shareOf(rest.frame, { ...shares.frame, cost: cost?.frame ?? 0 }),
    shareOf(rest.later, {
      input: later('input'),
      cacheRead: later('cacheRead'),
      cacheWrite: later('cacheWrite'),
      cost: cost?.later ?? 0,
    }),
    shareOf(
      rest.answer,
      { output: booked.output, reasoning: booked.reasoning, cost: cost ? cost.output : booked.cost },
      true,
    ),
  ];
}
