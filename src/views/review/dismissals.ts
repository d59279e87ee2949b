import { l10n, window } from 'vscode';
import type { Dismissal } from '../../domain/findings/dismissal.ts';
import { plainLabel, plainNotification } from '../shared/plainText.ts';
import { type Choice, pickOne, writeText } from '../shared/quickInput.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { reasonProblem } from './decideFinding.ts';

export async function showDismissals(repository: OpenRepository): Promise<void> {
  const { findings } = repository.client;
  for (;;) {
    const all = (await findings.dismissals()).toReversed();
    if (all.length === 0) {
      void window.showInformationMessage(
        l10n.t('No findings are dismissed in {0}.', repository.client.repository.name),
      );
      return;
    }
    const reply = await pickOne<Dismissal>({
      title: l10n.t('Dismissed findings of {0}', repository.client.repository.name),
      placeholder: l10n.t('Reviewers receive this list. Select a dismissal to change it.'),
      choices: all.map((value) => ({
        label: plainLabel(value.claim),
        description: plainLabel(`${value.ticket} · ${value.file}`),
        detail: plainLabel(value.reason.replace(/\s+/g, ' ')),
        value,
      })),
    });
    if (reply.kind !== 'given' || !(await changeOne(repository, reply.value))) return;
  }
}

/** True if the list is shown again. */
async function changeOne({ client }: OpenRepository, dismissal: Dismissal): Promise<boolean> {
  const { number, revision, reason } = dismissal;
  const choices: readonly Choice<'edit' | 'remove'>[] = [
    { label: `$(edit) ${l10n.t('Edit Reason…')}`, value: 'edit' },
    {
      label: `$(trash) ${l10n.t('Remove Dismissal')}`,
      detail: l10n.t('Reviewers may find it again.'),
      value: 'remove',
    },
  ];
  const claim = plainNotification(dismissal.claim).text;
  const chosen = await pickOne({
    title: claim,
    placeholder: plainNotification(reason).text,
    back: true,
    choices,
  });
  if (chosen.kind !== 'given') return chosen.kind === 'back';
  if (chosen.value === 'remove') {
    await client.findings.removeDismissal(number);
    window.setStatusBarMessage(l10n.t('Dismissal removed.'), 5_000);
    return true;
  }
  const text = await writeText({
    title: l10n.t('Edit reason'),
    prompt: claim,
    value: reason,
    back: true,
    check: reasonProblem,
  });
  if (text.kind === 'left') return false;
  if (text.kind === 'given')
    await client.findings.changeDismissal({ number, revision, reason: text.value.trim() });
  return true;
}
