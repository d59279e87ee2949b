import * as z from 'zod';
import type { Memory } from './memory.ts';

const memoryKey = 'models.starred';

/** Models that a person wants to see first, whatever the repository. */
export class StarredModels {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** In the order in which they were starred. Another version may have kept something else. */
  all(): readonly string[] {
    return z.array(z.string()).catch([]).parse(this.#memory.get(memoryKey));
  }

  async toggle(model: string): Promise<void> {
    const starred = this.all();
    await this.#memory.set(
      memoryKey,
      starred.includes(model) ? starred.filter((one) => one !== model) : [...starred, model],
    );
  }
}
