import { Emitter } from '../../base/emitter.ts';
import type { Hold, Ticket } from '../../domain/ticket/ticket.ts';
import type { Ports } from '../ports/ports.ts';
import { tellHold } from '../run/tell.ts';

interface Waiting {
  readonly ticket: string;
  readonly place: number;
}

/**
 * Limits this process's tickets in `limited` statuses (docs/decisions/068-one-ticket-codes-at-a-time.md). The
 * line survives in their holds.
 */
export class Slots {
  readonly #atOnce: number;
  readonly #holders = new Set<string>();
  readonly #line = new Map<string, Waiting>();
  readonly #changed = new Emitter<void>();

  constructor(atOnce: number) {
    this.#atOnce = Math.max(1, atOnce);
  }

  readonly onDidChange = this.#changed.on;

  get holders(): readonly string[] {
    return [...this.#holders];
  }

  /** Takes a free slot if none is ahead; else the ticket lines up. */
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

  release(ticket: string): void {
    const had = this.#holders.delete(ticket);
    if (this.#line.delete(ticket) || had) this.#changed.emit();
  }

  /** Resolves at the next change or an abort. */
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

function isBefore(a: Waiting, b: Waiting): boolean {
  return (
    a.place < b.place ||
    (a.place === b.place && a.ticket.localeCompare(b.ticket, 'en', { numeric: true }) < 0)
  );
}

/**
 * Holds a ticket until it may enter a limited status; false if stopped first (it keeps its place). `place`:
 * its first place in the line; default: the end.
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
    if (detail !== '' && current?.detail !== detail)
      await show({ kind: 'queue', since: waited?.since ?? clock.now(), detail, place });
    // Read again: a holder may have left while this was written.
    if (slots.holders.join(', ') === detail) await slots.next(signal);
    if (!signal.aborted) continue;
    slots.release(ticket.id);
    return false;
  }
  if (current) await show(undefined);
  return true;
}
