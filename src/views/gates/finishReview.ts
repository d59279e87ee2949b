import { l10n, window } from 'vscode';
import { writeText } from '../shared/quickInput.ts';
import { sendAndTell, sendsUnsent } from '../shared/sendAndTell.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** Merges the branch into its base, after a question, because that can't be taken back. */
export async function mergeTicket(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const { ticket: stored } = await repository.client.ticket(ticket);
  const merge = l10n.t('Merge');
  const mergeAndRemove = l10n.t('Merge and Remove Worktree');
  const answer = await window.showWarningMessage(
    l10n.t('Merge {0} into {1}?', stored.branch ?? ticket, stored.baseBranch ?? '?'),
    {
      modal: true,
      detail: l10n.t('Updates the base branch, and its checkout if there is one and it’s clean.'),
    },
    merge,
    mergeAndRemove,
  );
  if (answer === merge) await sendAndTell(place, 'merge', {});
  if (answer === mergeAndRemove) await sendAndTell(place, 'merge', { deleteWorktree: true });
}

/** Ends the ticket without merging. */
export async function closeTicket(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const { ticket: stored } = await repository.client.ticket(ticket);
  const close = l10n.t('Close Without Merging');
  const answer = await window.showWarningMessage(
    l10n.t('Close {0} without merging?', ticket),
    {
      modal: true,
      detail: l10n.t(
        'The branch {0} is kept. The ticket is completed and can’t be reopened.',
        stored.branch ?? '',
      ),
    },
    close,
  );
  if (answer === close) await sendAndTell(place, 'close', { reason: '' });
}

/** Asks for changes; each line the reviewer writes becomes one. */
export async function requestChanges(place: TicketPlace): Promise<void> {
  const items: { text: string }[] = [];
  for (;;) {
    const reply = await writeText({
      title: l10n.t('{0}: request changes', place.ticket),
      prompt:
        items.length === 0
          ? l10n.t('What should change? (one point at a time)')
          : l10n.t('{0} noted. Add another, or leave empty to send.', items.length),
      check: (text) =>
        text.trim() === '' && items.length === 0 ? l10n.t('Describe what to change.') : undefined,
    });
    if (reply.kind !== 'given') {
      const noted = items.map(({ text }) => text);
      if (
        !(await sendsUnsent(l10n.t('{0}: points noted and not sent: {1}', place.ticket, noted.length), noted))
      )
        return;
    }
    if (reply.kind !== 'given' || reply.value.trim() === '') break;
    items.push({ text: reply.value.trim() });
    if (items.length === 50) break;
  }
  await sendAndTell(place, 'changes', { items });
}
