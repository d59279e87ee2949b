import { keepNewest } from '../base/keepNewest.ts';
import { sha256 } from '../base/sha256.ts';

/** Freshness in milliseconds (docs/decisions/040-prompt-order-and-budget.md). */
export const cacheTtlMs = 300_000;
const maxEntries = 200;

interface CacheEntry {
  readonly content: string;
  readonly timestamp: number;
  readonly tokens: number;
  readonly sha256?: string;
}

/** Remembers rendered parts, so that shared documents are tokenized once. */
export class ContextCache {
  readonly #entries = new Map<string, CacheEntry>();

  get(ticketId: string, name: string, content: string, now: number): CacheEntry | undefined {
    const entry = this.#entries.get(keyOf(ticketId, name));
    if (entry?.content !== content) return undefined;
    const age = now - entry.timestamp;
    return age >= 0 && age < cacheTtlMs ? entry : undefined;
  }

  set(ticketId: string, name: string, entry: CacheEntry): void {
    const key = keyOf(ticketId, name);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    keepNewest(this.#entries, maxEntries);
  }

  /** Computed once, because that takes long. */
  hashOf(ticketId: string, name: string, content: string): string {
    const key = keyOf(ticketId, name);
    const entry = this.#entries.get(key);
    if (entry?.content !== content) return sha256(content);
    const hash = entry.sha256 ?? sha256(content);
    this.#entries.set(key, { ...entry, sha256: hash });
    return hash;
  }

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
