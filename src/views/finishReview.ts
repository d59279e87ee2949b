import { l10n, window } from 'vscode';
import { writeText } from './quickInput.ts';
import { sendAction } from './sendAction.ts';
import type { TicketPlace } from './workbench.ts';

/** Merges the branch into its base, after a question, because that can't be taken back. */
export async function mergeTicket({ repository, ticket }: TicketPlace): Promise<void> {
  const { ticket: stored } = await repository.client.ticket(ticket);
  const merge = l10n.t('Merge');
  const answer = await window.showWarningMessage(
    l10n.t('Merge {0} into {1}?', stored.branch ?? ticket, stored.baseBranch ?? '?'),
    { modal: true, detail: l10n.t('The base branch moves. Its checkout, if there is one and it is clean, follows.') },
    merge,
  );
  if (answer === merge) await sendAction(repository.client, ticket, 'merge', {});
}

/** Ends the ticket without merging. */
export async function closeTicket({ repository, ticket }: TicketPlace): Promise<void> {
  const { ticket: stored } = await repository.client.ticket(ticket);
  const close = l10n.t('Close Without Merging');
  const answer = await window.showWarningMessage(
    l10n.t('Close {0} without merging?', ticket),
    { modal: true, detail: l10n.t('The branch {0} stays. The ticket is completed and can’t be opened again.', stored.branch ?? '') },
    close,
  );
  if (answer === close) await sendAction(repository.client, ticket, 'close', { reason: '' });
}

/** Asks for changes; each line the reviewer writes becomes one. */
export async function requestChanges({ repository, ticket }: TicketPlace): Promise<void> {
  const items: { text: string }[] = [];
  for (;;) {
    const reply = await writeText({
      title: l10n.t('{0}: request changes', ticket),
      prompt:
        items.length === 0
          ? l10n.t('What should change? One point at a time.')
          : l10n.t('{0} noted. What else? Leave it empty to send.', items.length),
      check: (text) => (text.trim() === '' && items.length === 0 ? l10n.t('Say what should change.') : undefined),
    });
    if (reply.kind !== 'given') return;
    if (reply.value.trim() === '') break;
    items.push({ text: reply.value.trim() });
    if (items.length === 50) break;
  }
  await sendAction(repository.client, ticket, 'changes', { items });
}
