import { l10n, Uri, window, workspace } from 'vscode';
import { pickOne } from '../shared/quickInput.ts';
import type { Workbench } from '../shared/workbench.ts';

export async function overridePrompt({ support }: Workbench): Promise<void> {
  const prompts = await support.prompts.list();
  const reply = await pickOne({
    title: l10n.t('Override Prompt'),
    placeholder: l10n.t('Your file is used from the next call on, in all repositories.'),
    choices: prompts.map(({ name, about, state, problem }) => ({
      label: `${state === 'built-in' ? '$(file)' : state === 'own' ? '$(edit)' : '$(error)'} ${name}`,
      description:
        state === 'built-in' ? '' : state === 'own' ? l10n.t('your own') : l10n.t('refused: {0}', problem),
      detail: about,
      value: name,
    })),
  });
  if (reply.kind !== 'given') return;
  const uri = Uri.file(await support.prompts.override(reply.value));
  await window.showTextDocument(await workspace.openTextDocument(uri));
}
