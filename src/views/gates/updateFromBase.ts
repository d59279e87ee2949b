import { l10n } from 'vscode';
import { type Choice, pickOne } from '../shared/quickInput.ts';
import { sendAndTell } from '../shared/sendAction.ts';
import type { TicketPlace } from '../shared/workbench.ts';

export async function updateFromBase(place: TicketPlace): Promise<void> {
  const { repository, ticket } = place;
  const { ticket: stored } = await repository.client.ticket(ticket);
  const title = l10n.t('{0}: update from base', ticket);
  const base = stored.baseBranch ?? '';
  const choices: readonly Choice<'same' | 'other' | 'keep'>[] = [
    {
      label: `$(repo-pull) ${l10n.t('Update from {0}', base)}`,
      detail: l10n.t('All checks run again. You are asked if files conflict.'),
      value: 'same',
    },
    {
      label: `$(git-branch) ${l10n.t('Choose Another Base…')}`,
      detail: l10n.t('The ticket is merged into that branch.'),
      value: 'other',
    },
    {
      label: `$(pinned) ${l10n.t('Keep the Recorded Commit')}`,
      detail: l10n.t('The branch stays on the commit that the ticket started from.'),
      value: 'keep',
    },
  ];
  const reply = await pickOne({ title, placeholder: l10n.t('Select the base of the branch'), choices });
  if (reply.kind !== 'given') return;
  if (reply.value !== 'other') return sendAndTell(place, 'update_base', { keep: reply.value === 'keep' });
  const branches = (await repository.branches()).all.filter(
    (name) => name !== base && name !== stored.branch,
  );
  const other = await pickOne({
    title,
    placeholder: l10n.t('Select the base branch'),
    choices: branches.map((value) => ({ label: `$(git-branch) ${value}`, value })),
  });
  if (other.kind === 'given')
    await sendAndTell(place, 'update_base', { baseBranch: other.value, keep: false });
}
