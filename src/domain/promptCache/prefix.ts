/** A prompt's piece. `name` is unique in it; `tokens`: an estimate. */
export interface Block {
  readonly name: string;
  readonly sha256: string;
  readonly tokens: number;
}

/** OpenCode's tools before every prompt, of unknown size. */
export const toolsBlock = 'tools';
/** OpenCode's agent text behind them. */
export const systemBlock = 'system';

/** The end of a shared beginning. `none`: all of the earlier prompt is shared. */
export type ChangeKind =
  | 'none'
  | 'tools-changed'
  | 'system-changed'
  | 'content-changed'
  | 'slice-added'
  | 'slice-removed'
  | 'slice-moved';

/**
 * The equal blocks before the first difference: `hits` with `before` tokens, then `culprit` and `after`.
 * Later equal blocks don't count.
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
  const before = tokensIn(now.slice(0, hits));
  if (hits === earlier.length || hits === now.length)
    return { hits, kind: 'none', culprit: null, before, culpritTokens: 0, after: tokensIn(now.slice(hits)) };
  const { kind, culprit } = changeAt(earlier, now, hits);
  const isNew = now[hits]?.name === culprit;
  return {
    hits,
    kind,
    culprit,
    before,
    culpritTokens: isNew ? (now[hits]?.tokens ?? 0) : (earlier[hits]?.tokens ?? 0),
    after: tokensIn(now.slice(isNew ? hits + 1 : hits)),
  };
}

/**
 * A prompt's cacheable blocks and tokens. `marks`: blocks after which the earlier one was kept; nothing
 * beyond the last shared mark counts. Without marks, every beginning was kept.
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

/** The tokens of all parts. */
export function tokensIn(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
