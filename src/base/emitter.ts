import type { Disposable } from './disposable.ts';

/** Listeners for one kind of event. One that throws doesn't stop the others; `onError` gets its error. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = () => undefined) {
    this.#onError = onError;
  }

  readonly on = (listener: (event: T) => void): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  emit(event: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
