import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import type { PartRule } from '../domain/prompts/promptChoices.ts';
import { tokensIn } from '../domain/promptCache/prefix.ts';
import type { PromptPart, Reduction } from '../domain/usage/promptPlan.ts';
import { slicesOf } from './allowlists.ts';
import type { ContextCache } from './contextCache.ts';
import type { ContextState } from './contextState.ts';
import { mayLeaveOut } from './partRow.ts';
import { type Section, sectionAllowed, sectionNames, sectionRow } from './sections.ts';
import { slices, trimOrder } from './slices.ts';

/** Tokens of a prompt's context (docs/decisions/040-prompt-order-and-budget.md). */
export const defaultTokenBudget = 100_000;
/** Tokens of a shrunk slice (docs/decisions/040-prompt-order-and-budget.md). */
export const shrunkTokens = 500;

interface ContextOptions {
  readonly sections?: readonly Section[];
  /** Of all parts, without instructions. */
  readonly budget: number;
  readonly count: Count;
  /** A person's decisions, by part. */
  readonly rules?: ReadonlyMap<string, PartRule>;
  readonly cache?: ContextCache;
  readonly now?: number;
}

interface MinimalContext {
  readonly parts: readonly PromptPart[];
  readonly reductions: readonly Reduction[];
  readonly tokens: number;
}

/**
 * Builds what a model call may see (docs/decisions/039-context-slices-and-allowlists.md,
 * docs/decisions/040-prompt-order-and-budget.md). Order: `ticket_details`, then by class, slices before
 * sections, in list order. A section's cap is at most a quarter of the budget. Over budget, slices give way
 * in `trimOrder` (shrunk, then dropped), then sections from the last one up; pinned parts never. Throws
 * CONTEXT_OVER_BUDGET when fixed parts don't fit, INVALID_INPUT for a section that the key doesn't allow.
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
  const fixed = tokensIn(parts.filter((part) => !part.mayShrink));
  if (fixed > options.budget)
    throw new BeadsmithError('CONTEXT_OVER_BUDGET', { what: key, tokens: fixed, budget: options.budget });

  let total = tokensIn(parts);
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
    tokens: tokensIn(kept),
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

/** Not a trim: a last line of spaces may be one of a diff. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

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

/** A stable sort keeps list order within a class. */
function inPromptOrder(parts: readonly Draft[]): Draft[] {
  return parts.toSorted((a, b) => rank(a) - rank(b));
}

function rank(part: Draft): number {
  return part.name === 'ticket_details' && part.kind === 'slice'
    ? -1
    : part.stability * 2 + (part.kind === 'slice' ? 0 : 1);
}

/** The reduction for a part that a person left out. */
export function excluded({ name, tokens }: Pick<PromptPart, 'name' | 'tokens'>): Reduction {
  return { name, action: 'excluded', tokensBefore: tokens, tokensAfter: 0 };
}

function reductionOf({ name, before, tokens, dropped }: Draft): Reduction[] {
  if (!dropped && tokens === before) return [];
  return [{ name, action: dropped ? 'dropped' : 'shrunk', tokensBefore: before, tokensAfter: tokens }];
}

type Count = (text: string) => Promise<number> | number;

interface Shrunk {
  readonly content: string;
  readonly tokens: number;
}

/**
 * Cuts a text: two thirds head, one third tail, and a line with the number of omitted characters. Only a
 * limit too small for that line is exceeded.
 */
export async function shrink(content: string, tokens: number, limit: number, count: Count): Promise<Shrunk> {
  let keep = Math.floor((content.length * limit) / tokens);
  for (;;) {
    const text = cut(content, keep);
    const size = await count(text);
    if (size <= limit || keep === 0) return { content: text, tokens: size };
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
