import { Emitter } from '../../base/emitter.ts';
import type { Hold, Ticket } from '../../domain/ticket/ticket.ts';
import type { Ports } from '../ports/ports.ts';
import { tellHold } from '../run/tell.ts';

/** A ticket in the line. Lower places come first. */
interface Waiting {
  readonly ticket: string;
  readonly place: number;
}

/**
 * Lets so many tickets at a time into statuses that are `limited`
 * (docs/decisions/068-one-ticket-codes-at-a-time.md). It is about the tickets of this process, which is the
 * only one that drives: what ends with it holds no slot, so nobody waits for the dead. The line survives in
 * the holds of the tickets.
 */
export class Slots {
  readonly #atOnce: number;
  readonly #holders = new Set<string>();
  readonly #line = new Map<string, Waiting>();
  readonly #changed = new Emitter<void>();

  constructor(atOnce: number) {
    this.#atOnce = Math.max(1, atOnce);
  }

  /** Fires when a slot is taken or free, or the line is another. */
  readonly onDidChange = this.#changed.on;

  /** The tickets that have a slot, in the order in which they got it. */
  get holders(): readonly string[] {
    return [...this.#holders];
  }

  /**
   * Gives a ticket a slot if one is free and nobody is ahead of it; otherwise it stands in the line from now
   * on.
   */
  take(ticket: string, place: number): boolean {
    if (this.#holders.has(ticket)) return true;
    const mine = { ticket, place };
    const isFirst = [...this.#line.values()].every(
      (other) => other.ticket === ticket || isBefore(mine, other),
    );
    if (isFirst && this.#holders.size < this.#atOnce) {
      this.#line.delete(ticket);
      this.#holders.add(ticket);
      this.#changed.emit();
      return true;
    }
    if (this.#line.get(ticket)?.place !== place) {
      this.#line.set(ticket, mine);
      this.#changed.emit();
    }
    return false;
  }

  /** The ticket no longer works, and no longer waits. */
  release(ticket: string): void {
    const had = this.#holders.delete(ticket);
    if (this.#line.delete(ticket) || had) this.#changed.emit();
  }

  /** Resolves at the next change, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        watch.dispose();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const watch = this.#changed.on(end);
      signal.addEventListener('abort', end);
    });
  }
}

/** Tickets that came at the same moment keep the order of their numbers. */
function isBefore(a: Waiting, b: Waiting): boolean {
  return (
    a.place < b.place ||
    (a.place === b.place && a.ticket.localeCompare(b.ticket, 'en', { numeric: true }) < 0)
  );
}

/**
 * Waits until a ticket may enter a limited status; it is held meanwhile, with the tickets that it waits for.
 * False if it was stopped first: then it keeps its place, as long as nobody takes the hold away. `place`:
 * where it lines up if it isn't in the line yet; default: at the end.
 */
export async function waitForSlot(
  ports: Ports,
  slots: Slots,
  ticket: Ticket,
  { signal, place: wanted }: { readonly signal: AbortSignal; readonly place?: number },
): Promise<boolean> {
  const { store, clock } = ports;
  const waited = ticket.hold?.kind === 'queue' ? ticket.hold : undefined;
  const place = waited?.place ?? wanted ?? clock.now();
  let current: Hold | undefined = waited;
  const show = async (hold: Hold | undefined): Promise<void> => {
    current = hold;
    const set = { hold: hold ?? null };
    await store.commit({ ticket: ticket.id, journal: [], changes: [{ type: 'ticket', set }] });
    tellHold(ports, ticket.id, hold?.kind ?? null, hold?.detail);
  };
  while (!slots.take(ticket.id, place)) {
    const detail = slots.holders.join(', ');
    // Between two holders there is nobody to name.
    if (detail !== '' && current?.detail !== detail)
      await show({ kind: 'queue', since: waited?.since ?? clock.now(), detail, place });
    // Read again: who left while this was written is not waited for.
    if (slots.holders.join(', ') === detail) await slots.next(signal);
    if (!signal.aborted) continue;
    slots.release(ticket.id);
    return false;
  }
  if (current) await show(undefined);
  return true;
}
