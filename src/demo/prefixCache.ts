import { type ChatRequest, textOf } from './script/parsedChat.ts';

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

/**
 * A provider's cache of the beginnings of prompts, as providers with automatic caching describe theirs
 * (docs/prompt-cache.md).
 */
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
