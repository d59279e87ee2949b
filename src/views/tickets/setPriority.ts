import { l10n } from 'vscode';
import { ticketTextHash } from '../../domain/ticket/ticket.ts';
import { pickOne } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** From the highest; the tree sorts by them. */
const priorities = [1, 2, 3, 4, 5];

/** Asks for the priority of a draft, which dragging changes, too. */
export async function setPriority(place: TicketPlace): Promise<void> {
  const { priority } = (await place.repository.client.ticket(place.ticket)).ticket;
  const reply = await pickOne({
    title: l10n.t('Priority of {0}', place.ticket),
    placeholder: l10n.t('Select a priority; 1 is the highest'),
    choices: priorities.map((value) => ({
      label: String(value),
      value,
      ...(value === priority ? { description: l10n.t('now') } : {}),
    })),
  });
  if (reply.kind === 'given' && reply.value !== priority) await savePriority(place, reply.value);
}

export async function savePriority(place: TicketPlace, priority: number): Promise<void> {
  const { title, description } = (await place.repository.client.ticket(place.ticket)).ticket;
  await sendAndTell(place, 'edit', {
    artifact: 'ticket',
    baseSha256: ticketTextHash({ title, description }),
    content: JSON.stringify({ title, description, priority }),
    surface: 'structured',
  });
}
