import { withoutSecretsInValue } from '../base/outputSecrets.ts';
import { Emitter } from '../base/emitter.ts';
import type { TicketEvent } from '../domain/core/events.ts';
import type { EventSink } from '../engine/ports/ports.ts';

/** Passes the engine's events on, without secrets (docs/decisions/112-secrets-in-outputs.md). */
export class EventBus implements EventSink {
  readonly #emitter = new Emitter<TicketEvent>();

  readonly on = this.#emitter.on;

  emit(event: TicketEvent): void {
    this.#emitter.emit(withoutSecretsInValue(event));
  }
}
