/** Messages (each tool result is one) and tokens. */
export interface TurnSize {
  readonly messages: number;
  readonly tokens: number;
}

/** Rules for removing old turns; `off`: none. */
export const foldRules = ['either', 'tokens', 'messages', 'off'] as const;

const mostOfBudget = 0.15;
const turnsToKeep = 2;

/** By messages: the least that is removed at once, and that stays. */
const chunk: TurnSize = { messages: 25, tokens: 5_000 };
const keep: TurnSize = { messages: 25, tokens: 7_500 };

/**
 * The number of oldest whole turns to remove (docs/decisions/156-long-conversations.md). `budget`: tokens of
 * a prompt.
 */
export function turnsToFold(
  sizes: readonly TurnSize[],
  { rule, budget }: { readonly rule: (typeof foldRules)[number]; readonly budget: number },
): number {
  if (rule === 'off') return 0;
  const [byMessages, byTokens] = [foldedByMessages(sizes), foldedByTokens(sizes, budget)];
  if (rule === 'either') return Math.max(byMessages, byTokens);
  return rule === 'messages' ? byMessages : byTokens;
}

function foldedByTokens(sizes: readonly TurnSize[], budget: number): number {
  return sum(sizes).tokens > budget * mostOfBudget ? Math.max(0, sizes.length - turnsToKeep) : 0;
}

function foldedByMessages(sizes: readonly TurnSize[]): number {
  let folded = 0;
  for (let end = 1; end < sizes.length; end++) {
    if (reaches(sum(sizes.slice(folded, end)), chunk) && reaches(sum(sizes.slice(end)), keep)) folded = end;
  }
  return folded;
}

function reaches(size: TurnSize, least: TurnSize): boolean {
  return size.messages >= least.messages && size.tokens >= least.tokens;
}

function sum(sizes: readonly TurnSize[]): TurnSize {
  return sizes.reduce(
    (total, { messages, tokens }) => ({ messages: total.messages + messages, tokens: total.tokens + tokens }),
    { messages: 0, tokens: 0 },
  );
}
