import type { Hold, Ticket } from '../../domain/ticket/ticket.ts';
import type { Ports } from '../ports/ports.ts';
import type { Slots } from './slots.ts';

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
  const { store, clock, events } = ports;
  const waited = ticket.hold?.kind === 'queue' ? ticket.hold : undefined;
  const place = waited?.place ?? wanted ?? clock.now();
  let current: Hold | undefined = waited;
  const set = async (hold: Hold | undefined): Promise<void> => {
    current = hold;
    await store.commit({
      ticket: ticket.id,
      journal: [],
      changes: [{ type: 'ticket', set: { hold: hold ?? null } }],
    });
    events.emit({
      type: 'hold',
      ticket: ticket.id,
      at: clock.now(),
      hold: hold?.kind ?? null,
      detail: hold?.detail ?? '',
    });
  };
  while (!slots.take(ticket.id, place)) {
    const detail = slots.holders.join(', ');
    // Between two holders there is nobody to name.
    if (detail !== '' && current?.detail !== detail)
      await set({ kind: 'queue', since: waited?.since ?? clock.now(), detail, place });
    // Read again: who left while this was written is not waited for.
    if (slots.holders.join(', ') === detail) await slots.next(signal);
    if (!signal.aborted) continue;
    slots.release(ticket.id);
    return false;
  }
  if (current) await set(undefined);
  return true;
}
