import { Emitter } from '../base/emitter.ts';
import type { TicketEvent } from '../domain/events.ts';
import type { EventSink } from '../engine/ports/ports.ts';

/** Passes the engine's events to the listeners in this process. A listener that fails disturbs neither the others nor the engine. */
export class EventBus implements EventSink {
  readonly #emitter = new Emitter<TicketEvent>();

  readonly on = this.#emitter.on;

  emit(event: TicketEvent): void {
    this.#emitter.emit(event);
  }
}
