/** Values that end: the oldest make room for new ones. */
export class Recent<T> {
  readonly #most: number;
  readonly #values = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  set(key: string, value: T, until: number): void {
    this.#values.delete(key);
    this.#values.set(key, { value, until });
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most) return;
      this.#values.delete(oldest);
    }
  }

  get(key: string, now: number): T | undefined {
    const found = this.#values.get(key);
    return found && found.until > now ? found.value : undefined;
  }

  take(key: string, now: number): T | undefined {
    const value = this.get(key, now);
    this.#values.delete(key);
    return value;
  }
}

export interface Rate {
  readonly most: number;
  readonly perMs: number;
}

const mostKeys = 10_000;

/** Counts uses by a key, in windows of time. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #uses = new Recent<{ count: number }>(mostKeys);

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate;
    this.#now = now;
  }

  /** False for one too many. */
  take(key: string): boolean {
    const now = this.#now();
    const known = this.#uses.get(key, now);
    if (known) return ++known.count <= this.#rate.most;
    this.#uses.set(key, { count: 1 }, now + this.#rate.perMs);
    return true;
  }
}
