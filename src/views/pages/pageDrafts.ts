import type { PagePlace } from '../../protocol/pages/frame.ts';

interface PageDraftsOptions {
  readonly store: DraftStore;
  readonly place: DraftPlace;
  readonly stored: (error?: unknown) => void;
}

/** Each change is written at once; changes made during a write go with the next one. */
export class PageDrafts {
  readonly #options: PageDraftsOptions;
  #stored: Drafts = {};
  #unwritten: Drafts = {};
  #writing: Promise<void> | undefined;

  constructor(options: PageDraftsOptions) {
    this.#options = options;
  }

  get current(): Drafts {
    return withChanges(this.#stored, this.#unwritten);
  }

  get isEmpty(): boolean {
    return Object.keys(this.current).length === 0;
  }

  /** Another window may have changed what is stored. Rejects when that can't be read. */
  async load(): Promise<Drafts> {
    await this.#writing;
    const { store, place } = this.#options;
    this.#stored = await store.read(place);
    return this.current;
  }

  change(key: string, value: unknown): void {
    this.#unwritten = { ...this.#unwritten, [key]: value ?? null };
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async #write(): Promise<void> {
    const { store, place, stored } = this.#options;
    while (Object.keys(this.#unwritten).length > 0) {
      const changes = this.#unwritten;
      this.#unwritten = {};
      this.#stored = withChanges(this.#stored, changes);
      try {
        await store.change(place, changes);
      } catch (error) {
        // Tried again with the next change.
        this.#unwritten = { ...changes, ...this.#unwritten };
        stored(error);
        return;
      }
    }
    stored();
  }
}

export type Drafts = Readonly<Record<string, unknown>>;

/** `draft`: a ticket's text and choices before its start. */
export interface DraftPlace extends PagePlace {
  readonly page: string;
}

/** All windows of this user share it. */
export interface DraftStore {
  read(place: DraftPlace): Promise<Drafts>;
  /** Stores these keys and removes those that are null; other keys stay as they are. */
  change(place: DraftPlace, changes: Drafts): Promise<void>;
}

export function withChanges(drafts: Drafts, changes: Drafts): Drafts {
  return Object.fromEntries(
    Object.entries({ ...drafts, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  );
}
