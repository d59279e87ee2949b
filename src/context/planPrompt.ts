import { sha256 } from '../base/sha256.ts';
import type { ContextKey } from '../domain/workflow/contextKeys.ts';
import type { PromptPart, PromptPlan, Reduction } from '../domain/usage/promptPlan.ts';
import { closingOf, hasTitle, type PromptFile, renderPrompt, titleOf } from './promptFile.ts';
import { framePart } from './partRow.ts';
import { promptUse } from './promptInventory.ts';
import { inSeedOrder, type SeedNames, seedSequence } from './seedOrder.ts';

/** Below so many tokens no provider caches a prefix, so that stating it apart would only cost. */
const worthAMessage = 1_024;

interface PlanOptions {
  readonly key: ContextKey;
  readonly file: PromptFile;
  /** The SHA-256 of the person's own file, if the prompt is from one. */
  readonly override?: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** As `buildMinimalContext` ordered them. */
  readonly parts: readonly PromptPart[];
  readonly reductions: readonly Reduction[];
  /** The estimate and the budget that are kept with the plan. */
  readonly tokens: number;
  readonly budget: number;
  readonly model: string;
  /** The preamble first, under these names, instead of the order by how long parts stay the same. */
  readonly seedOrder?: SeedNames | undefined;
  /** The parts stay in their order, whatever their class. */
  readonly asOrdered?: boolean;
  /** The SHA-256 of a part's content, from a cache where one knows it. */
  readonly hashOf?: (part: PromptPart) => string;
}

/** `text` is the prompt; `stable`, if not empty, is sent before it, so that provider caches can keep it. */
export interface PlannedPrompt {
  readonly plan: PromptPlan;
  readonly stable: string;
  readonly text: string;
}

/**
 * Puts a call in order: instructions, what is fixed for the ticket or the bead (classes 0 and 1), what
 * changes per attempt or call, and the line that closes it. What the prompts of planning share stands before
 * the instructions (docs/decisions/187-shared-data-first.md). Throws INVALID_INPUT like `renderPrompt`. The
 * plan's `promptSha256` is the hash of `stable` and `text` joined by a line end, in which the hash of each
 * part stands for its content: to hash long contents twice would take longer than all the rest.
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

/** A prompt's texts, its parts in order, and the instructions before the part with the number `at`. */
interface Written {
  readonly sent: readonly PromptPart[];
  readonly at: number;
  /** Number of parts in `stable`; undefined where it is empty. */
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
    const apart = isFresh && tokensOf('', shared) > worthAMessage;
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
  const apart = isFresh && tokensOf(instructions, fixed) > worthAMessage;
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
  const rest = tokens - parts.reduce((sum, part) => sum + part.tokens, 0);
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
function tokensOf(instructions: string, parts: readonly PromptPart[]): number {
  return instructions.length / 4 + parts.reduce((total, part) => total + part.tokens, 0);
}

/** Prompts for a bead's code, which are in the order that the ticket's settings choose. */
export const inOrderOfSettings: readonly string[] = ['coding', 'coding-continue', 'pivot'];
/** The largest part that planning prompts share: with it, fixed parts stand before the instructions. */
const largestShared = 'relevant_files';
/** Begins a prompt whose data stand before its instructions. */
const belowLine = 'This is known of the ticket. Your instructions stand below it.';
/** Stands between what is stable and the call, which may be messages of their own. */
const pointerLine = 'Your instructions and the standing context are above.';
