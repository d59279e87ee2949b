import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Board, BoardTicket } from './board.ts';

/** Reports once a second which tickets' agents wait for a person; no timer while none does. */
export class Countdown implements Disposable {
  readonly #board: Board;
  readonly #ticked = new Emitter<readonly BoardTicket[]>();
  readonly #lifetime = new DisposableStore();
  #timer: ReturnType<typeof setInterval> | undefined;

  readonly onDidTick = this.#ticked.on;

  constructor(board: Board) {
    this.#board = board;
    this.#lifetime.add(board.onDidChange(() => this.#adjust()));
    this.#adjust();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#lifetime.dispose();
    this.#ticked.dispose();
  }

  #adjust(): void {
    if (this.#waiting().length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setInterval(() => this.#ticked.emit(this.#waiting()), 1_000);
  }

  #waiting(): readonly BoardTicket[] {
    return this.#board.waiting.flatMap(({ row, ticket }) =>
      ticket.holdUntil === null ? [] : [{ root: row.root, ticket: ticket.id }],
    );
  }
}
