/** Runs tasks of the same key one after the other. */
export class Mutex {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const tail = before.then(() => promise);
    this.#tails.set(key, tail);
    await before;
    try {
      return await task();
    } finally {
      resolve();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
