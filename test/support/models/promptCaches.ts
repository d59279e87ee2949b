import { type ChatRequest, textOf } from '../../../src/demo/script/parsedChat.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import { charactersPerToken } from '../../../src/demo/completion.ts';
import type { MarkedUsage } from '../../../src/demo/scriptedServer.ts';
import { blocksOf, type MessagesRequest } from './messagesApi.ts';

/** In tokens: less isn't kept, more only in whole steps. `lifeMs`: after the last use. */
const minimum = 1_024;
const step = 128;
const lifeMs = 300_000;
const mostKept = 300;

interface Kept {
  readonly place: string;
  readonly text: string;
  usedAt: number;
}

/** Caches beginnings of prompts, as providers describe it (docs/prompt-cache.md). */
export class PrefixCache {
  readonly #kept: Kept[] = [];

  /** Tokens shared with an earlier request by the same model with the same tools. */
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

/** Blocks before a mark that it finds. */
const lookBack = 20;
const mostMarks = 4;

/** A request up to the end of a block. */
interface Beginning {
  readonly sha256: string;
  readonly tokens: number;
  readonly isMarked: boolean;
}

/** Caches what stands before marks, as Anthropic describes it (docs/prompt-cache.md). */
export class MarkCache {
  /** Time of last use, by hash. */
  readonly #kept = new Map<string, number>();

  /** Throws for too many marks. */
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
