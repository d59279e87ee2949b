/** Why a handler is being ended from outside. */
export type StopReason = 'cancel' | 'stop';

/** Ends a handler without a result. Its run stays open; nothing is recorded as failed. Never caught by handlers. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: StopReason | 'parked';
  /** When parked: what would wake the run, and when it wakes by itself. */
  readonly waitsFor: { readonly kinds: readonly string[]; readonly until: number | undefined } | undefined;

  constructor(reason: StopReason | 'parked', waitsFor?: { readonly kinds: readonly string[]; readonly until: number | undefined }) {
    super(`The run was ended: ${reason}`);
    this.reason = reason;
    this.waitsFor = waitsFor;
  }
}

/** Lets the runner end a handler: aborts what its steps are doing, and lets no further step begin. */
export class RunControl {
  readonly #controller = new AbortController();
  #reason: StopReason | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  stop(reason: StopReason): void {
    this.#reason ??= reason;
    this.#controller.abort(new RunStopped(this.#reason));
  }

  /** Throws RunStopped once `stop` was called. */
  check(): void {
    if (this.#reason) throw new RunStopped(this.#reason);
  }
}
