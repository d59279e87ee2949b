/** The state of a document at a moment. */
export interface DocumentNow {
  readonly sha256: string;
  /** Bytes of its text. */
  readonly size: number;
  /** Unix milliseconds; 0 if nobody noted it. */
  readonly changedAt: number;
  readonly readOnly: boolean;
}

interface State {
  /** Undefined when it is gone. */
  readonly now: DocumentNow | undefined;
  readonly mtime: number;
  /** The state that the editor was last notified of. */
  readonly told: DocumentNow | undefined;
  /** The state that the editor's text was made from. */
  readonly base: DocumentNow | undefined;
  /** The state that the editor read last while it had a text of its own. */
  readonly seen: DocumentNow | undefined;
}

/** The change of a document since the editor was last notified of it. */
export type DocumentChange = 'none' | 'created' | 'changed' | 'deleted';

/**
 * The state of each open document as the editor knows it. The database knows versions and hashes, the editor
 * times: a text that differs has a later time than the one before, so that the editor reads it again, and
 * finds out by itself that what a person is about to save was changed meanwhile.
 */
export class DocumentStates {
  readonly #clock: () => number;
  readonly #states = new Map<string, State>();

  /** `clock`: Unix milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Keeps what a document is now; undefined when it is gone. */
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

  /** Returns the change of a document that the editor hasn't been notified of, and counts it as notified. */
  tell(key: string): DocumentChange {
    const state = this.#states.get(key);
    if (!state) return 'none';
    const { told, now } = state;
    this.#states.set(key, { ...state, told: now });
    if (!told || !now) return told ? 'deleted' : now ? 'created' : 'none';
    return told.sha256 === now.sha256 && told.readOnly === now.readOnly ? 'none' : 'changed';
  }

  /** Unix milliseconds of the text as it was noted last. */
  mtime(key: string): number {
    return this.#states.get(key)?.mtime ?? 0;
  }

  /** The editor's text is what was noted last. */
  wasRead(key: string): void {
    const state = this.#states.get(key);
    if (state) this.#states.set(key, { ...state, base: state.now });
  }

  /** The editor has read what was noted last, and keeps a text of its own so far. */
  wasSeen(key: string): void {
    const state = this.#states.get(key);
    if (state) this.#states.set(key, { ...state, seen: state.now });
  }

  /** The editor's own text was discarded for what was seen last. */
  wasTaken(key: string): void {
    const state = this.#states.get(key);
    if (state?.seen) this.#states.set(key, { ...state, base: state.seen });
  }

  /** Makes the editor read a document again whose hash is known: it shows another text. */
  touch(key: string): void {
    const state = this.#states.get(key);
    if (state) this.#states.set(key, { ...state, mtime: state.mtime + 1 });
  }

  /**
   * Returns true if a save would replace a version that the person hasn't seen and the editor didn't ask
   * about. The editor asks by itself when times and sizes differ, but takes another text of the same size for
   * the same.
   */
  replacesUnseen(key: string): boolean {
    const { base, now } = this.#states.get(key) ?? {};
    return base !== undefined && now !== undefined && base.sha256 !== now.sha256 && base.size === now.size;
  }

  forget(key: string): void {
    this.#states.delete(key);
  }
}
