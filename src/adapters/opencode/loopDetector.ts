import { canonicalJson } from '../../base/json.ts';
import { keepNewest } from '../../base/keepNewest.ts';

/** A call is reported again and again until it has ended. Far fewer run at a time. */
const mostSeen = 500;

/** Notices an agent that makes the same tool call again and again; OpenCode's own guard doesn't stop that. */
export class LoopDetector {
  readonly #limit: number;
  readonly #seen = new Set<string>();
  #last = '';
  #count = 0;

  constructor(limit = 5) {
    this.#limit = limit;
  }

  /** Takes one call, however often it is reported. True when it is the same as the ones before it, up to the limit. */
  add(call: { readonly id: string; readonly tool: string; readonly input: unknown }): boolean {
    if (this.#seen.has(call.id)) return this.#count >= this.#limit;
    keepNewest(this.#seen.add(call.id), mostSeen);
    const key = `${call.tool} ${canonicalJson(call.input)}`;
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    return this.#count >= this.#limit;
  }
}
