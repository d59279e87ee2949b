export interface DocumentNow {
  readonly sha256: string;
  readonly size: number;
  /** Unix milliseconds; 0: unknown. */
  readonly changedAt: number;
  readonly readOnly: boolean;
}

interface State {
  readonly now: DocumentNow | undefined;
  readonly mtime: number;
  /** Last reported to the editor. */
  readonly told: DocumentNow | undefined;
  /** The base of the editor's text. */
  readonly base: DocumentNow | undefined;
  /** Last read while the editor had its own text. */
  readonly seen: DocumentNow | undefined;
}

/** Since the last report to the editor. */
export type DocumentChange = 'none' | 'created' | 'changed' | 'deleted';

/**
 * Open documents as the editor knows them. A changed text gets a later time, so that the editor reads it
 * again and notices conflicts by itself.
 */
export class DocumentStates {
  readonly #clock: () => number;
  readonly #states = new Map<string, State>();

  /** `clock`: Unix milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  note(key: string, now: DocumentNow | undefined): void {
    const before = this.#states.get(key);
    if (!before) {
      this.#states.set(key, {
        now,
        mtime: (now?.changedAt ?? 0) || this.#clock(),
        told: now,
        base: undefined,
        seen: undefined,
      });
      return;
    }
    const same = before.now?.sha256 === now?.sha256;
    this.#states.set(key, {
      ...before,
      now,
      mtime: same ? before.mtime : Math.max(before.mtime + 1, this.#clock()),
    });
  }

  /** Returns the unreported change, and counts it as reported. */
  tell(key: string): DocumentChange {
    const state = this.#states.get(key);
    if (!state) return 'none';
    const { told, now } = state;
    this.#states.set(key, { ...state, told: now });
    if (!told || !now) return told ? 'deleted' : now ? 'created' : 'none';
    return told.sha256 === now.sha256 && told.readOnly === now.readOnly ? 'none' : 'changed';
  }

  mtime(key: string): number {
    return this.#states.get(key)?.mtime ?? 0;
  }

  /** The editor's text is now the noted one. */
  wasRead(key: string): void {
    const state = this.#states.get(key);
    if (state) this.#states.set(key, { ...state, base: state.now });
  }

  /** The editor read the noted text, but keeps its own. */
  wasSeen(key: string): void {
    const state = this.#states.get(key);
    if (state) this.#states.set(key, { ...state, seen: state.now });
  }

  /** The editor's text was discarded for the seen one. */
  wasTaken(key: string): void {
    const state = this.#states.get(key);
    if (state?.seen) this.#states.set(key, { ...state, base: state.seen });
  }

  /** Makes the editor read a document again. */
  touch(key: string): void {
    const state = this.#states.get(key);
    if (state) this.#states.set(key, { ...state, mtime: state.mtime + 1 });
  }

  /** True if a save would silently replace an unseen version: the editor compares only times and sizes. */
  replacesUnseen(key: string): boolean {
    const { base, now } = this.#states.get(key) ?? {};
    return base !== undefined && now !== undefined && base.sha256 !== now.sha256 && base.size === now.size;
  }

  forget(key: string): void {
    this.#states.delete(key);
  }
}
