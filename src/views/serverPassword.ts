import { l10n, window } from 'vscode';
import type { Workbench } from './workbench.ts';

/** Asks for the password of the server that `beadsmith.opencode.url` names, and keeps it where the editor keeps secrets. */
export async function setServerPassword(workbench: Workbench): Promise<void> {
  const password = await window.showInputBox({
    title: l10n.t('OpenCode Server Password'),
    prompt: l10n.t('It is kept in the editor’s secret storage, never in settings or logs.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text === '' ? l10n.t('Write the password, or press Escape.') : undefined),
  });
  if (password === undefined) return;
  await workbench.setServerPassword(password);
  window.setStatusBarMessage(l10n.t('The password is kept.'), 5_000);
}

export async function removeServerPassword(workbench: Workbench): Promise<void> {
  await workbench.setServerPassword(undefined);
  window.setStatusBarMessage(l10n.t('The password is removed.'), 5_000);
}
