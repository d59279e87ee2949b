import { withoutSecretsInValue } from '../base/outputSecrets.ts';
import { Emitter } from '../base/emitter.ts';
import type { TicketEvent } from '../domain/core/events.ts';
import type { EventSink } from '../engine/ports/ports.ts';

/**
 * Passes the engine's events to the listeners in this process: views, logs, the command line. None of them
 * gets what has the form of a secret (docs/decisions/112-secrets-in-outputs.md). A listener that fails
 * disturbs neither the others nor the engine.
 */
export class EventBus implements EventSink {
  readonly #emitter = new Emitter<TicketEvent>();

  readonly on = this.#emitter.on;

  emit(event: TicketEvent): void {
    this.#emitter.emit(withoutSecretsInValue(event));
  }
}
