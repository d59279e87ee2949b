/** A ticket's steps that are open, and which of them only wait for a time. Shared by its runs. */
export class StepsAtWork {
  readonly #leave: ((until: number) => void) | undefined;
  readonly #waits = new Map<object, number>();
  #open = 0;

  /** `leave`: ends the drive until then; undefined where waits keep it. */
  constructor(leave?: (until: number) => void) {
    this.#leave = leave;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
    }
  }

  /** `work` gets a function to call now and then, which ends the drive if every step waits. */
  async waiting(until: number, work: (leaveIfAllWait: () => void) => Promise<void>): Promise<void> {
    const me = {};
    this.#waits.set(me, until);
    try {
      await work(() => {
        if (this.#waits.size >= this.#open) this.#leave?.(Math.min(...this.#waits.values()));
      });
    } finally {
      this.#waits.delete(me);
    }
  }
}
