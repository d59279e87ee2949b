import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import type { PartRule } from '../domain/prompts/promptChoices.ts';
import type { PromptPart, Reduction } from '../domain/usage/promptPlan.ts';
import { slicesOf } from './allowlists.ts';
import type { ContextCache } from './contextCache.ts';
import type { ContextState } from './contextState.ts';
import { mayLeaveOut } from './partRow.ts';
import { type Section, sectionAllowed, sectionNames, sectionRow } from './sections.ts';
import { slices, trimOrder } from './slices.ts';

/** The default budget of a prompt's context in tokens (docs/decisions/040-prompt-order-and-budget.md). */
export const defaultTokenBudget = 100_000;
/** Tokens to which a slice is shrunk before it is dropped (docs/decisions/040-prompt-order-and-budget.md). */
export const shrunkTokens = 500;

interface ContextOptions {
  /** Task-specific additions that `sectionTable` allows for the key; an empty one is left out. */
  readonly sections?: readonly Section[];
  /** Tokens that all parts together may take. Instructions come on top: the caller takes them off first. */
  readonly budget: number;
  readonly count: Count;
  /** A person's decisions, by part. A part that may not be left out stays. */
  readonly rules?: ReadonlyMap<string, PartRule>;
  readonly cache?: ContextCache;
  /** Milliseconds since 1970, for the cache. */
  readonly now?: number;
}

interface MinimalContext {
  readonly parts: readonly PromptPart[];
  readonly reductions: readonly Reduction[];
  readonly tokens: number;
}

/**
 * Builds what a model call may see: the slices of the key's list, nothing else of the state, and the sections
 * of the task (docs/decisions/039-context-slices-and-allowlists.md,
 * docs/decisions/040-prompt-order-and-budget.md).
 *
 * Order: `ticket_details`, then by class, slices before sections, each in list order. A section over its cap
 * (its row's, and never more than a quarter of the budget) is shrunk to it. What a person excluded is left
 * out first, and what they pinned stays whole. Over budget, slices give way in the order of `trimOrder`, each
 * first shrunk to 500 tokens, then dropped; only when no slice is left to cut do the sections follow, from
 * the last one up. The same input gives the same bytes.
 *
 * Throws CONTEXT_OVER_BUDGET when what may not be cut (`ticket_details`, `bead_data`, what is pinned) doesn't
 * fit by itself, INVALID_INPUT for a section that the key doesn't allow.
 */
export async function buildMinimalContext(
  key: ContextKey,
  state: ContextState,
  options: ContextOptions,
): Promise<MinimalContext> {
  const all = [...(await sliceParts(key, state, options)), ...(await sectionParts(key, state, options))];
  const isExcluded = ({ name }: PromptPart): boolean =>
    options.rules?.get(name) === 'exclude' && mayLeaveOut(name);
  const parts = all.filter((part) => !isExcluded(part));
  const fixed = sum(parts.filter((part) => !part.mayShrink));
  if (fixed > options.budget)
    throw new BeadsmithError('CONTEXT_OVER_BUDGET', { what: key, tokens: fixed, budget: options.budget });

  let total = sum(parts);
  for (const part of inTrimOrder(parts)) {
    if (total <= options.budget) break;
    if (part.tokens > shrunkTokens) total += await shrinkPart(part, shrunkTokens, options.count);
    if (total > options.budget) {
      total -= part.tokens;
      part.tokens = 0;
      part.dropped = true;
    }
  }

  const kept = inPromptOrder(parts.filter((part) => !part.dropped));
  return {
    parts: kept.map(({ name, kind, stability, pinned, content, tokens }) => ({
      name,
      kind,
      stability,
      ...(pinned === true ? { pinned } : {}),
      content,
      tokens,
    })),
    reductions: [...all.filter(isExcluded).map(excluded), ...parts.flatMap(reductionOf)],
    tokens: sum(kept),
  };
}

interface Draft extends PromptPart {
  readonly mayShrink: boolean;
  readonly before: number;
  dropped: boolean;
}

async function sliceParts(key: ContextKey, state: ContextState, options: ContextOptions): Promise<Draft[]> {
  const parts: Draft[] = [];
  for (const name of slicesOf(key)) {
    const { stability, render, protected: fixed } = slices[name];
    const content = withoutLastLineEnds(render(state));
    if (content.trim() === '') continue;
    parts.push(await draftOf({ name, kind: 'slice', stability, content }, fixed, state, options));
  }
  return parts;
}

async function sectionParts(key: ContextKey, state: ContextState, options: ContextOptions): Promise<Draft[]> {
  const parts: Draft[] = [];
  for (const { name, content: given } of inTableOrder(options.sections ?? [])) {
    const content = withoutLastLineEnds(given);
    if (!sectionAllowed(name, key)) {
      throw new BeadsmithError('INVALID_INPUT', {
        what: `The section "${name}"`,
        reason: `it may not appear in a prompt for ${key}`,
      });
    }
    if (content.trim() === '') continue;
    const { stability, cap, protected: fixed } = sectionRow(name);
    const part = await draftOf({ name, kind: 'section', stability, content }, fixed, state, options);
    const limit = Math.min(cap, Math.floor(options.budget / 4));
    if (part.mayShrink && part.tokens > limit) await shrinkPart(part, limit, options.count);
    parts.push(part);
  }
  return parts;
}

/** A document's line end would be an empty line in a frame. A last line of spaces may be one of a diff. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** A part before any cut. It may not be cut if it is `fixed`, or a person pinned it. */
async function draftOf(
  part: Pick<PromptPart, 'name' | 'kind' | 'stability' | 'content'>,
  fixed: boolean | undefined,
  { ticketId }: ContextState,
  options: ContextOptions,
): Promise<Draft> {
  const pinned = options.rules?.get(part.name) === 'pin';
  const tokens = await measure(ticketId, part.name, part.content, options);
  return { ...part, pinned, tokens, before: tokens, mayShrink: fixed !== true && !pinned, dropped: false };
}

/** The order in which a caller adds sections makes no difference to the prompt. */
function inTableOrder(sections: readonly Section[]): readonly Section[] {
  return sections.toSorted((one, other) => sectionNames.indexOf(one.name) - sectionNames.indexOf(other.name));
}

async function measure(
  ticketId: string,
  name: string,
  content: string,
  { cache, count, now = 0 }: ContextOptions,
): Promise<number> {
  const known = cache?.get(ticketId, name, content, now);
  if (known) return known.tokens;
  const tokens = await count(content);
  cache?.set(ticketId, name, { content, timestamp: now, tokens });
  return tokens;
}

/** Shrinks a part in place; answers by how much its tokens changed (a negative number). */
async function shrinkPart(part: Draft, limit: number, count: Count): Promise<number> {
  const shrunk = await shrink(part.content, part.tokens, limit, count);
  const change = shrunk.tokens - part.tokens;
  part.content = shrunk.content;
  part.tokens = shrunk.tokens;
  return change;
}

function inTrimOrder(parts: readonly Draft[]): readonly Draft[] {
  const cuttable = trimOrder.flatMap((name) =>
    parts.filter((part) => part.kind === 'slice' && part.name === name && part.mayShrink),
  );
  const sections = inPromptOrder(parts.filter((part) => part.kind === 'section' && part.mayShrink));
  return [...cuttable, ...sections.reverse()];
}

/** Sorting keeps the order of equals, so that a list's order stands within a class. */
function inPromptOrder(parts: readonly Draft[]): Draft[] {
  return parts.toSorted((a, b) => rank(a) - rank(b));
}

function rank(part: Draft): number {
  return part.name === 'ticket_details' && part.kind === 'slice'
    ? -1
    : part.stability * 2 + (part.kind === 'slice' ? 0 : 1);
}

/** Returns the reduction for a part that a person left out of a prompt. */
export function excluded({ name, tokens }: Pick<PromptPart, 'name' | 'tokens'>): Reduction {
  return { name, action: 'excluded', tokensBefore: tokens, tokensAfter: 0 };
}

function reductionOf({ name, before, tokens, dropped }: Draft): Reduction[] {
  if (!dropped && tokens === before) return [];
  return [{ name, action: dropped ? 'dropped' : 'shrunk', tokensBefore: before, tokensAfter: tokens }];
}

function sum(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((total, part) => total + part.tokens, 0);
}

type Count = (text: string) => Promise<number> | number;

interface Shrunk {
  readonly content: string;
  readonly tokens: number;
}

/**
 * Cuts a text of `tokens` tokens down to `limit`: two thirds from its head, one third from its tail, and a
 * line that says how much was left out. Only a limit too small for that line is exceeded.
 */
export async function shrink(content: string, tokens: number, limit: number, count: Count): Promise<Shrunk> {
  let keep = Math.floor((content.length * limit) / tokens);
  for (;;) {
    const text = cut(content, keep);
    const size = await count(text);
    if (size <= limit || keep === 0) return { content: text, tokens: size };
    // A little less than the proportion asks for, because the line in the middle costs tokens too.
    keep = Math.floor((keep * limit * 0.98) / size);
  }
}

function cut(content: string, keep: number): string {
  const head = onBorder(content, Math.floor((keep * 2) / 3));
  const tail = onBorder(content, content.length - (keep - Math.floor((keep * 2) / 3)));
  return `${content.slice(0, head)}\n[… ${String(tail - head)} of ${String(content.length)} characters left out …]\n${content.slice(tail)}`;
}

/** Never between the two halves of a surrogate pair. */
function onBorder(content: string, index: number): number {
  const code = content.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
