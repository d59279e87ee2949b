/** The size of a turn: in messages, counting each result of a tool as one, and in tokens. */
export interface TurnSize {
  readonly messages: number;
  readonly tokens: number;
}

/** The rules by which old turns are taken out of a conversation; `off`: they stay. */
export const foldRules = ['either', 'tokens', 'messages', 'off'] as const;

/** By tokens: a conversation may have this share of a prompt's budget, and its last turns always stay. */
const mostOfBudget = 0.15;
const turnsToKeep = 2;

/** By messages: what is taken out at once and what stays has at least so many messages and tokens. */
const chunk: TurnSize = { messages: 25, tokens: 5_000 };
const keep: TurnSize = { messages: 25, tokens: 7_500 };

/**
 * Returns how many of the oldest turns are taken out of a conversation
 * (docs/decisions/156-long-conversations.md). `budget`: the tokens that a prompt may have. Turns are only
 * taken out whole.
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
