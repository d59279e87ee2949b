import { sha256 } from '../base/sha256.ts';
import { blocksOf, type MarkedUsage, type MessagesRequest } from './messagesApi.ts';

/**
 * Less isn't kept, in tokens; a mark finds what ends so many blocks before it; so many marks a request. Kept
 * so long after its last use, milliseconds.
 */
const minimum = 1_024;
const lookBack = 20;
const mostMarks = 4;
const lifeMs = 300_000;
const charactersPerToken = 4;

/**
 * A beginning of a request that ends with a block: the hash of all up to there, its tokens, and whether a
 * mark stands behind it.
 */
interface Beginning {
  readonly sha256: string;
  readonly tokens: number;
  readonly isMarked: boolean;
}

/**
 * A provider's cache of what stands before marks in a request, as Anthropic describes its own
 * (docs/prompt-cache.md).
 */
export class MarkCache {
  /** The time at which each beginning was last used, by its hash. */
  readonly #kept = new Map<string, number>();

  /**
   * Returns the tokens that this request reads and writes, and remembers the request. Throws for more marks
   * than a request may have.
   */
  read(request: MessagesRequest, now: number): MarkedUsage {
    const beginnings = beginningsOf(request);
    const marks = beginnings.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    if (marks.length > mostMarks)
      throw new Error(`A maximum of ${String(mostMarks)} blocks with cache_control may be provided.`);
    const found = marks.flatMap((mark) =>
      beginnings
        .slice(Math.max(0, mark - lookBack), mark + 1)
        .filter(({ sha256: hash }) => now - (this.#kept.get(hash) ?? -Infinity) <= lifeMs),
    );
    const read = Math.max(0, ...found.map(({ tokens }) => tokens));
    const marked = marks.flatMap((mark) => beginnings[mark] ?? []).filter(({ tokens }) => tokens >= minimum);
    for (const { sha256: hash } of [...marked, ...found]) this.#kept.set(hash, now);
    return { read, written: Math.max(0, Math.max(0, ...marked.map(({ tokens }) => tokens)) - read) };
  }
}

function beginningsOf({ model, tools, system, messages }: MessagesRequest): readonly Beginning[] {
  let hash = sha256(`${model}\n${JSON.stringify(tools)}`);
  let characters = 0;
  const blocks = [
    ...blocksOf(system).map((block) => ({ role: 'system', block })),
    ...messages.flatMap(({ role, content }) => blocksOf(content).map((block) => ({ role, block }))),
  ];
  return blocks.map(({ role, block: { cache_control: mark, ...block } }) => {
    hash = sha256(`${hash}\n${role}\n${JSON.stringify(block)}`);
    characters += (block.text ?? JSON.stringify(block.content ?? block.input ?? '')).length;
    return {
      sha256: hash,
      tokens: Math.floor(characters / charactersPerToken),
      isMarked: mark !== undefined,
    };
  });
}
