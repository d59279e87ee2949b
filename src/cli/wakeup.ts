/** A bell that may ring before anybody listens: `next` answers at once if it rang since the last time. */
export class Wakeup {
  #rung = false;
  #ring: (() => void) | undefined;

  readonly ring = (): void => {
    this.#rung = true;
    this.#ring?.();
  };

  /** Resolves at the next ring, or after `limitMs`. */
  async next(limitMs: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#ring = undefined;
  }
}
