import { sha256 } from '../base/sha256.ts';
import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import { tokensIn } from '../domain/promptCache/prefix.ts';
import type { PromptPart, PromptPlan, Reduction } from '../domain/usage/promptPlan.ts';
import { closingOf, hasTitle, type PromptFile, renderPrompt, titleOf } from './promptFile.ts';
import { framePart } from './partRow.ts';
import { promptUse } from './promptInventory.ts';
import { inSeedOrder, type SeedNames, seedSequence } from './seedOrder.ts';

const worthAMessage = 1_024;

interface PlanOptions {
  readonly key: ContextKey;
  readonly file: PromptFile;
  /** SHA-256 of a person's file. */
  readonly override?: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** As `buildMinimalContext` ordered them. */
  readonly parts: readonly PromptPart[];
  readonly reductions: readonly Reduction[];
  readonly tokens: number;
  readonly budget: number;
  readonly model: string;
  /** Preamble first, under these names. */
  readonly seedOrder?: SeedNames | undefined;
  /** Whatever the class. */
  readonly asOrdered?: boolean;
  readonly hashOf?: (part: PromptPart) => string;
}

/** A prompt; `stable` goes ahead of `text`, for provider caches. */
export interface PlannedPrompt {
  readonly plan: PromptPlan;
  readonly stable: string;
  readonly text: string;
}

/**
 * Puts a call in order: instructions, fixed parts (classes 0 and 1), changing parts, closing line; shared
 * planning data before the instructions (docs/decisions/187-shared-data-first.md). Throws as `renderPrompt`.
 * `promptSha256` hashes each part's hash for its content, because long contents take long.
 */
export function planPrompt(options: PlanOptions): PlannedPrompt {
  const { hashOf = (part: PromptPart) => sha256(part.content) } = options;
  const instructions = renderPrompt(options.file, options.inputs);
  const { sent, at, ahead, stable, text } = write(options, instructions, framePart);
  const hashes = new Map(sent.map((part) => [part.name, hashOf(part)]));
  const hashed = write(options, instructions, ({ name }) =>
    framePart({ name, content: hashes.get(name) ?? '' }),
  );
  const promptSha256 = sha256(`${hashed.stable}\n${hashed.text}`);
  return { plan: planOf(options, { sent, at, ahead, instructions, promptSha256, hashes }), stable, text };
}

/** `at`: the part after the instructions. */
interface Written {
  readonly sent: readonly PromptPart[];
  readonly at: number;
  readonly ahead: number | undefined;
  readonly stable: string;
  readonly text: string;
}

function write(
  { file, parts, seedOrder, asOrdered = false }: PlanOptions,
  instructions: string,
  frame: (part: PromptPart) => string,
): Written {
  const closing = closingOf(file, instructions);
  const closed = (pieces: readonly string[]): string =>
    [...pieces, ...(closing === '' ? [] : [closing])].join('\n\n');
  if (seedOrder) {
    const { before, after } = seedSequence(parts);
    const text = closed([inSeedOrder(instructions, parts, seedOrder, frame)]);
    return { sent: [...before, ...after], at: before.length, ahead: undefined, stable: '', text };
  }
  const isShared =
    !asOrdered && !inOrderOfSettings.includes(file.name) && parts.some(({ name }) => name === largestShared);
  const shared = isShared ? parts.filter((part) => part.stability === 0) : [];
  const fixed = isShared || asOrdered ? shared : parts.filter((part) => part.stability <= 1);
  const rest = parts.filter((part) => !fixed.includes(part));
  const [sent, last] = [[...fixed, ...rest], rest.map(frame)];
  const isFresh = !asOrdered && promptUse(file.name).session === 'fresh' && hasTitle(file.name);
  if (isShared) {
    const head = [belowLine, ...shared.map(frame)].join('\n\n');
    const apart = isFresh && roughTokens('', shared) > worthAMessage;
    const text = closed([...(apart ? [] : [head]), instructions, ...last]);
    return {
      sent,
      at: shared.length,
      ahead: apart ? shared.length : undefined,
      stable: apart ? head : '',
      text,
    };
  }
  const head = [instructions, ...fixed.map(frame)].join('\n\n');
  const apart = isFresh && roughTokens(instructions, fixed) > worthAMessage;
  const text = closed(apart ? [titleOf(file.name), pointerLine, ...last] : [head, ...last]);
  return { sent, at: 0, ahead: apart ? fixed.length : undefined, stable: apart ? head : '', text };
}

interface Planned extends Pick<Written, 'sent' | 'at' | 'ahead'>, Pick<PromptPlan, 'promptSha256'> {
  readonly instructions: string;
  readonly hashes: ReadonlyMap<string, string>;
}

function planOf(
  { key, file, override, parts, reductions, tokens, budget, model }: PlanOptions,
  { sent, at, ahead, instructions, promptSha256, hashes }: Planned,
): PromptPlan {
  const rest = tokens - tokensIn(parts);
  return {
    schema_version: 1,
    contextKey: key,
    prompt: file.name,
    promptSha256,
    ...(override === undefined ? {} : { override }),
    policy: file.policy,
    model,
    budget,
    tokens,
    parts: sent.map(({ name, kind, stability, demoted, pinned, tokens: size, content }) => ({
      name,
      kind,
      stability,
      ...(demoted === true ? { demoted } : {}),
      ...(pinned === true ? { pinned } : {}),
      tokens: size,
      sha256: hashes.get(name) ?? sha256(content),
    })),
    instructions: { at, tokens: Math.max(0, rest), sha256: sha256(instructions) },
    ...(ahead === undefined ? {} : { ahead }),
    reductions: [...reductions],
  };
}

/** Four characters a token are near enough for a threshold. */
function roughTokens(instructions: string, parts: readonly PromptPart[]): number {
  return instructions.length / 4 + tokensIn(parts);
}

/** In the order that the ticket's settings choose. */
export const inOrderOfSettings: readonly string[] = ['coding', 'coding-continue', 'pivot'];
/** With it, fixed parts are before the instructions. */
const largestShared = 'relevant_files';
const belowLine = 'This is known of the ticket. Your instructions stand below it.';
const pointerLine = 'Your instructions and the standing context are above.';
