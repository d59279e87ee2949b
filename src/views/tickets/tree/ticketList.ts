import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Memory } from '../../shared/memory.ts';
import { everything, isEverything, TicketFilter, TicketOrder } from './ticketFilter.ts';

export const pageSize = 100;

const [filterKey, orderKey] = ['tickets.filter', 'tickets.order'];

/** Filter and order are kept for the workspace, pages for the window's lifetime. */
export class TicketList implements Disposable {
  readonly #memory: Memory;
  readonly #changed = new Emitter<void>();
  readonly #shown = new Map<string, number>();
  #filter: TicketFilter;
  #order: TicketOrder;

  readonly onDidChange = this.#changed.on;

  constructor(memory: Memory) {
    this.#memory = memory;
    // Another version may have kept something else.
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
