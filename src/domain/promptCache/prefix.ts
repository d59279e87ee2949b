/** A piece of a prompt, in order. `name` is unique within it; `tokens` is an estimate. */
export interface Block {
  readonly name: string;
  readonly sha256: string;
  readonly tokens: number;
}

/** The tools in front of every prompt, which OpenCode writes. How many tokens they take isn't known. */
export const toolsBlock = 'tools';
/** The text of the agent behind them, which OpenCode writes, too. */
export const systemBlock = 'system';

/** The reason why the beginning that two prompts share ends. `none`: all of the earlier one is shared. */
export type ChangeKind =
  | 'none'
  | 'tools-changed'
  | 'system-changed'
  | 'content-changed'
  | 'slice-added'
  | 'slice-removed'
  | 'slice-moved';

/**
 * The beginning that two prompts share, up to the first block that differs: a later block that is equal again
 * doesn't count. `hits` blocks of `before` tokens are shared; `culprit` is the block that ended it, with its
 * tokens, and `after` are the tokens behind it.
 */
export interface SharedPrefix {
  readonly hits: number;
  readonly kind: ChangeKind;
  readonly culprit: string | null;
  readonly before: number;
  readonly culpritTokens: number;
  readonly after: number;
}

/** Compares a prompt with an earlier one (docs/prompt-cache.md). */
export function sharedPrefix(earlier: readonly Block[], now: readonly Block[]): SharedPrefix {
  const differs = now.findIndex(({ sha256 }, index) => earlier[index]?.sha256 !== sha256);
  const hits = differs === -1 ? now.length : differs;
  const before = tokensOf(now.slice(0, hits));
  if (hits === earlier.length || hits === now.length)
    return { hits, kind: 'none', culprit: null, before, culpritTokens: 0, after: tokensOf(now.slice(hits)) };
  const { kind, culprit } = changeAt(earlier, now, hits);
  const isNew = now[hits]?.name === culprit;
  return {
    hits,
    kind,
    culprit,
    before,
    culpritTokens: isNew ? (now[hits]?.tokens ?? 0) : (earlier[hits]?.tokens ?? 0),
    after: tokensOf(now.slice(isNew ? hits + 1 : hits)),
  };
}

/**
 * Returns how many blocks, and tokens, of a prompt a cache can know from an earlier one. `marks`: the numbers
 * of blocks after which the earlier one was kept; what it shares beyond the last of them counts for nothing.
 * Without marks every beginning was kept.
 */
export function sharedTokens(
  earlier: readonly Block[],
  now: readonly Block[],
  marks?: readonly number[],
): { readonly hits: number; readonly tokens: number } {
  let tokens = 0;
  let kept = { hits: 0, tokens: 0 };
  for (const [index, block] of now.entries()) {
    if (earlier[index]?.sha256 !== block.sha256) return kept;
    tokens += block.tokens;
    if (!marks || marks.includes(index + 1)) kept = { hits: index + 1, tokens };
  }
  return kept;
}

function changeAt(
  earlier: readonly Block[],
  now: readonly Block[],
  index: number,
): { readonly kind: ChangeKind; readonly culprit: string } {
  const [was = '', is = ''] = [earlier[index]?.name, now[index]?.name];
  if (is === toolsBlock) return { kind: 'tools-changed', culprit: is };
  if (is === systemBlock) return { kind: 'system-changed', culprit: is };
  if (was === is) return { kind: 'content-changed', culprit: is };
  const has = (blocks: readonly Block[], name: string): boolean =>
    blocks.some((block) => block.name === name);
  if (!has(earlier, is)) return { kind: 'slice-added', culprit: is };
  if (!has(now, was)) return { kind: 'slice-removed', culprit: was };
  return { kind: 'slice-moved', culprit: is };
}

/** The tokens of some blocks together. */
export function tokensOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}
