import { Emitter } from '../../src/base/emitter.ts';
import { canonicalJson } from '../../src/base/json.ts';

/** `problem` says why it can't be stored. */
export type DraftStatus =
  { readonly kind: 'none' | 'storing' | 'stored' } | { readonly kind: 'failed'; readonly problem: string };

/** Unsent input, which the extension stores. Knows nothing of the browser, for tests. */
export class DraftStore {
  readonly #store: (key: string, value: unknown) => void;
  readonly #changed = new Emitter<void>();
  #drafts: Readonly<Record<string, unknown>> = {};
  #isStored = true;
  #problem = '';

  readonly onDidChange = this.#changed.on;

  constructor(store: (key: string, value: unknown) => void) {
    this.#store = store;
  }

  get status(): DraftStatus {
    if (this.#problem !== '') return { kind: 'failed', problem: this.#problem };
    if (Object.keys(this.#drafts).length === 0) return { kind: 'none' };
    return { kind: this.#isStored ? 'stored' : 'storing' };
  }

  /** The status once nothing is being stored. */
  settled(): Promise<DraftStatus> {
    const { promise, resolve } = Promise.withResolvers<DraftStatus>();
    const listening = this.onDidChange(() => settle());
    const settle = (): void => {
      if (this.status.kind === 'storing') return;
      listening.dispose();
      resolve(this.status);
    };
    settle();
    return promise;
  }

  get(key: string): unknown {
    return this.#drafts[key];
  }

  /** Undefined: there is nothing to keep. */
  set(key: string, value: unknown): void {
    if (
      value === undefined
        ? !(key in this.#drafts)
        : canonicalJson(this.#drafts[key] ?? null) === canonicalJson(value)
    )
      return;
    const { [key]: _, ...others } = this.#drafts;
    this.#drafts = value === undefined ? others : { ...others, [key]: value };
    this.#isStored = false;
    this.#store(key, value ?? null);
    this.#changed.emit();
  }

  /** For drafts about something that is gone. */
  drop(isGone: (key: string) => boolean): void {
    for (const key of Object.keys(this.#drafts)) if (isGone(key)) this.set(key, undefined);
  }

  receive(drafts: Readonly<Record<string, unknown>>): void {
    this.#drafts = drafts;
    this.#changed.emit();
  }

  stored(problem: string): void {
    this.#isStored = problem === '';
    this.#problem = problem;
    this.#changed.emit();
  }
}
