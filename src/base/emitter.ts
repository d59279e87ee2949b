import type { Disposable } from './disposable.ts';

/** Listeners for one kind of event. One that throws doesn't stop the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();

  readonly on = (listener: (event: T) => void): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  emit(event: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // The other listeners still get the event.
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
