/** Counts what this process runs on a server, and has the server released after a rest. */
export class ServerUse {
  readonly #restMs: number;
  readonly #onRest: () => void;
  #running = 0;
  #rest: NodeJS.Timeout | undefined;

  /** `onRest` is called once nothing has run for `restMs`. */
  constructor(restMs: number, onRest: () => void) {
    this.#restMs = restMs;
    this.#onRest = onRest;
  }

  /** True while nothing runs that this process waits for. */
  get idle(): boolean {
    return this.#running === 0;
  }

  /** Counts as use until `work` has settled. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    clearTimeout(this.#rest);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.idle) this.#wait();
    }
  }

  /** Nothing is released any more. */
  end(): void {
    clearTimeout(this.#rest);
  }

  /** An idle server must not keep the process alive. */
  #wait(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#onRest, this.#restMs).unref();
  }
}

/** The time for which a server that nobody uses is kept. `now` never goes back. */
export class Grace {
  readonly #ms: number;
  #since: number | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /**
   * Takes note whether the server is used now, and answers whether it has been unused for the whole grace.
   */
  isOver(isUsed: boolean, now: number): boolean {
    if (isUsed) this.#since = undefined;
    else this.#since ??= now;
    return this.#since !== undefined && now - this.#since >= this.#ms;
  }
}
