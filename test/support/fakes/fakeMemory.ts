import type { Memory } from '../../../src/views/shared/memory.ts';

/** Forgets at the end of a test. */
export class FakeMemory implements Memory {
  readonly #values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.#values.get(key);
  }

  set(key: string, value: unknown): Promise<void> {
    this.#values.set(key, value);
    return Promise.resolve();
  }
}
