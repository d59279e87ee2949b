import { type ChatRequest, textOf } from './script/parsedChat.ts';
import { sha256 } from '../base/sha256.ts';
import { blocksOf, type MarkedUsage, type MessagesRequest } from './messagesApi.ts';

/**
 * Less isn't kept, and more only in whole steps; both in tokens. A beginning is kept so long after its last
 * use, milliseconds.
 */
const minimum = 1_024;
const step = 128;
const lifeMs = 300_000;
/** So many requests are remembered; a real cache forgets, too. */
const mostKept = 300;
const charactersPerToken = 4;

interface Kept {
  readonly place: string;
  readonly text: string;
  usedAt: number;
}

/** A cache of the beginnings of prompts, as providers describe theirs (docs/prompt-cache.md). */
export class PrefixCache {
  readonly #kept: Kept[] = [];

  /**
   * Returns the number of tokens that this request shares with the beginning of an earlier one, by the same
   * model and with the same tools, and remembers the request.
   */
  read(request: ChatRequest, now: number): number {
    const place = `${request.model}\n${JSON.stringify(request.tools)}`;
    const text = request.messages
      .map((message) => `${message.role}\n${textOf(message)}${JSON.stringify(message.tool_calls ?? '')}`)
      .join('\n');
    let longest = 0;
    for (const kept of this.#kept) {
      if (kept.place !== place || now - kept.usedAt > lifeMs) continue;
      const shared = sharedLength(kept.text, text);
      if (shared / charactersPerToken >= minimum) kept.usedAt = now;
      longest = Math.max(longest, shared);
    }
    this.#kept.push({ place, text, usedAt: now });
    if (this.#kept.length > mostKept) this.#kept.shift();
    const tokens = Math.floor(longest / charactersPerToken);
    return tokens < minimum ? 0 : Math.floor(tokens / step) * step;
  }
}

function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** A mark finds what ends so many blocks before it. */
const lookBack = 20;
const mostMarks = 4;

/** A request up to the end of a block: its hash, its tokens, and whether a mark stands behind it. */
interface Beginning {
  readonly sha256: string;
  readonly tokens: number;
  readonly isMarked: boolean;
}

/** A cache of what stands before marks, as Anthropic describes its own (docs/prompt-cache.md). */
export class MarkCache {
  /** The time at which each beginning was last used, by its hash. */
  readonly #kept = new Map<string, number>();

  /** The tokens that this request reads and writes; remembers it. Throws for too many marks. */
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
