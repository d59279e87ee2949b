import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Memory } from '../../shared/memory.ts';
import { everything, isEverything, TicketFilter, TicketOrder } from './ticketFilter.ts';

/**
 * Number of tickets of a column that are shown at first, and that are added each time a person asks for more.
 * A tree of ten thousand rows is of no use.
 */
export const pageSize = 100;

const [filterKey, orderKey] = ['tickets.filter', 'tickets.order'];

/**
 * The filter and order of the tickets in the view, and how many of them it shows: filter and order are kept
 * for the workspace, pages only for the window's lifetime.
 */
export class TicketList implements Disposable {
  readonly #memory: Memory;
  readonly #changed = new Emitter<void>();
  readonly #shown = new Map<string, number>();
  #filter: TicketFilter;
  #order: TicketOrder;

  readonly onDidChange = this.#changed.on;

  constructor(memory: Memory) {
    this.#memory = memory;
    // An older or a newer version may have kept something else.
    this.#filter = TicketFilter.catch(everything).parse(memory.get(filterKey) ?? everything);
    this.#order = TicketOrder.catch('priority').parse(memory.get(orderKey) ?? 'priority');
  }

  get filter(): TicketFilter {
    return this.#filter;
  }

  get order(): TicketOrder {
    return this.#order;
  }

  get isFiltered(): boolean {
    return !isEverything(this.#filter);
  }

  async show(filter: TicketFilter): Promise<void> {
    this.#filter = filter;
    this.#shown.clear();
    this.#changed.emit();
    await this.#memory.set(filterKey, filter);
  }

  async sort(order: TicketOrder): Promise<void> {
    this.#order = order;
    this.#changed.emit();
    await this.#memory.set(orderKey, order);
  }

  /** Returns the number of tickets of a column that are shown. */
  shown(root: string, column: string): number {
    return this.#shown.get(`${root}\n${column}`) ?? pageSize;
  }

  more(root: string, column: string): void {
    this.#shown.set(`${root}\n${column}`, this.shown(root, column) + pageSize);
    this.#changed.emit();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
