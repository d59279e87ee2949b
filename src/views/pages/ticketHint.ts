import type { TicketEvent } from '../../domain/events.ts';
import type { TicketHint } from '../../protocol/pages/ticket.ts';

const longestText = 4_000;

/** What people are told of, also those who don't see it, in their language. */
export interface HintWords {
  status(name: string): string;
  bead(event: Extract<TicketEvent, { type: 'bead' }>): string;
  stage(event: Extract<TicketEvent, { type: 'stage' }>): string;
}

/** What a live event means to the page. A step that is only replayed is no news, a call was heard of while it ran, and what waits or blocks is in the state. */
export function ticketHint(event: TicketEvent, words: HintWords): TicketHint | undefined {
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
      return hint('bead', words.bead(event));
    case 'stage':
      return hint('step', words.stage(event));
    case 'status':
      return hint('status', `${words.status(event.from)} → ${words.status(event.to)}`);
    case 'call':
    case 'waiting':
    case 'hold':
    case 'blocked':
      return undefined;
  }
}
