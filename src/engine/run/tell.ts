import type { BeadsmithError } from '../../domain/core/errors.ts';
import type { Ports } from '../ports/ports.ts';

type Telling = Pick<Ports, 'clock' | 'events'>;

/** Logs what the engine did with the ticket of a step. */
export function tell(
  { ports: { clock, events }, ticket }: { readonly ports: Telling; readonly ticket: string },
  text: string,
): void {
  events.emit({ type: 'activity', ticket, at: clock.now(), source: 'engine', kind: 'info', text });
}

/** Tells live views that an error blocks a ticket. */
export function tellBlocked({ clock, events }: Telling, ticket: string, error: BeadsmithError): void {
  const { code, message, nextStep } = error;
  events.emit({ type: 'blocked', ticket, at: clock.now(), code, message, nextStep });
}

/** Tells live views what holds a ticket, if anything. `until`: its end. */
export function tellHold(
  { clock, events }: Telling,
  ticket: string,
  hold: string | null,
  detail = '',
  until?: number | null,
): void {
  const end = until === undefined ? {} : { until };
  events.emit({ type: 'hold', ticket, at: clock.now(), hold, detail, ...end });
}
