import { Emitter } from '../../src/base/emitter.ts';

/**
 * The buttons of a page that want to be its primary one. It is the one that came last: who opens a form is at
 * that form, and who closes it is back at what there was before.
 */
export class PrimaryButtons {
  readonly #changed = new Emitter<void>();
  #wanting: readonly symbol[] = [];

  readonly onDidChange = this.#changed.on;

  add(button: symbol): void {
    this.#wanting = [...this.#wanting, button];
    this.#changed.emit();
  }

  remove(button: symbol): void {
    this.#wanting = this.#wanting.filter((one) => one !== button);
    this.#changed.emit();
  }

  isPrimary(button: symbol): boolean {
    return this.#wanting.at(-1) === button;
  }
}
