import { l10n, window } from 'vscode';
import { BeadsmithError } from '../domain/errors.ts';
import { blockedText } from './blockedText.ts';
import { writeText } from './quickInput.ts';
import { sendAndTell } from './sendAndTell.ts';
import type { TicketPlace } from './workbench.ts';

/** Tries a blocked ticket's status again from its beginning, with a note for the models. */
export async function retryTicket(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const detail = await repository.client.ticket(ticket);
  const reply = await writeText({
    title: l10n.t('Retry {0}', ticket),
    prompt: blockedText(detail),
    placeholder: l10n.t('What should be done differently? (optional)'),
  });
  if (reply.kind === 'given') await sendAndTell(place, 'retry', { note: reply.value });
}

/** Goes on where it stopped, in the same session. */
export async function continueTicket(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const { actions } = await repository.client.ticket(ticket);
  if (!actions.includes('continue')) throw new BeadsmithError('NOTHING_TO_CONTINUE');
  await sendAndTell(place, 'continue', {});
}

export async function pauseTicket(place: TicketPlace): Promise<void> {
  await sendAndTell(place, 'pause', {});
}

export async function resumeTicket(place: TicketPlace): Promise<void> {
  await sendAndTell(place, 'resume', {});
}

/** Cancels for good, after a question. The worktree stays unless the person wants it gone. */
export async function cancelTicket(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const { ticket: stored } = await repository.client.ticket(ticket);
  const cancel = l10n.t('Cancel the Ticket');
  const andDelete = l10n.t('Cancel and Delete Its Worktree');
  const answer = await window.showWarningMessage(
    l10n.t('Cancel {0} for good?', ticket),
    { modal: true, detail: l10n.t('“{0}” can’t be taken up again. Its branch stays.', stored.title) },
    cancel,
    ...(stored.worktree === null ? [] : [andDelete]),
  );
  if (answer === undefined) return;
  await sendAndTell(place, 'cancel', { reason: '', deleteWorktree: answer === andDelete });
}
