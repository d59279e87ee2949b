/** Repeats a request whenever there was news meanwhile, one at a time. */
export class NewestRequest {
  #next: (() => Promise<void>) | undefined;
  #isBusy = false;

  ask(request: () => Promise<void>): void {
    this.#next = request;
    if (!this.#isBusy) void this.#run();
  }

  /** Nobody sees the answers any more. */
  stop(): void {
    this.#next = undefined;
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let request = this.#take(); request; request = this.#take()) await request();
    } finally {
      // In the same turn as the last look: a request that comes later starts again.
      this.#isBusy = false;
    }
  }

  #take(): (() => Promise<void>) | undefined {
    const request = this.#next;
    this.#next = undefined;
    return request;
  }
}
