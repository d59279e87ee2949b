import type { TicketEvent } from '../../domain/events.ts';
import type { TicketHint } from '../../protocol/pages/ticket.ts';

const longestText = 4_000;

/** What a live event means to the page. A step that is only replayed is no news, a call was heard of while it ran, and what waits or blocks is in the state. */
export function ticketHint(event: TicketEvent): TicketHint | undefined {
  const hint = (kind: TicketHint['kind'], text: string, source = 'engine'): TicketHint => ({
    at: event.at,
    source,
    kind,
    // Of a long piece the end is what is being written.
    text: text.slice(-longestText),
  });
  switch (event.type) {
    case 'activity':
      return hint(event.kind, event.text, event.source);
    case 'step':
      return event.state === 'replayed' ? undefined : hint('step', `${event.key}: ${event.state}`);
    case 'bead':
      return hint('bead', `${event.bead} (${String(event.done)}/${String(event.total)}), ${String(event.iteration)}: ${event.state}`);
    case 'status':
      return hint('status', `${event.from} → ${event.to}`);
    case 'call':
    case 'waiting':
    case 'hold':
    case 'blocked':
      return undefined;
  }
}
