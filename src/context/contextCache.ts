import { keepNewest } from '../base/keepNewest.ts';
import { sha256 } from '../base/sha256.ts';

/** Milliseconds for which a cached slice is fresh (docs/decisions/040-prompt-order-and-budget.md). */
export const cacheTtlMs = 300_000;
const maxEntries = 200;

export interface CacheEntry {
  readonly content: string;
  readonly timestamp: number;
  /** Number of tokens counted for `content`. */
  readonly tokens: number;
  /** The SHA-256 of `content`, once it was computed. */
  readonly sha256?: string;
}

/**
 * Remembers the rendered parts of each ticket's prompts, so that shared documents are tokenized once. An
 * entry is used only if its content is the current content. Times are handed in.
 */
export class ContextCache {
  readonly #entries = new Map<string, CacheEntry>();

  /** The fresh entry of a part with exactly this content, if there is one. */
  get(ticketId: string, name: string, content: string, now: number): CacheEntry | undefined {
    const entry = this.#entries.get(keyOf(ticketId, name));
    if (entry?.content !== content) return undefined;
    const age = now - entry.timestamp;
    return age >= 0 && age < cacheTtlMs ? entry : undefined;
  }

  /** Stores what is known of a part. The oldest entry is dropped when there are too many. */
  set(ticketId: string, name: string, entry: CacheEntry): void {
    const key = keyOf(ticketId, name);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    keepNewest(this.#entries, maxEntries);
  }

  /** The SHA-256 of a part's content, computed once for each content because that takes long. */
  hashOf(ticketId: string, name: string, content: string): string {
    const key = keyOf(ticketId, name);
    const entry = this.#entries.get(key);
    if (entry?.content !== content) return sha256(content);
    const hash = entry.sha256 ?? sha256(content);
    this.#entries.set(key, { ...entry, sha256: hash });
    return hash;
  }

  /** Forgets everything about a ticket. */
  clearContextCache(ticketId: string): void {
    const prefix = keyOf(ticketId, '');
    for (const key of [...this.#entries.keys()]) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }
}

function keyOf(ticketId: string, name: string): string {
  return `${ticketId}\n${name}`;
}
