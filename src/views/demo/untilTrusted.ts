import { commands, l10n, window, workspace } from 'vscode';

export async function untilTrusted(): Promise<void> {
  if (workspace.isTrusted) return;
  const granted = new Promise<void>((resolve) => {
    const listening = workspace.onDidGrantWorkspaceTrust(() => {
      listening.dispose();
      resolve();
    });
  });
  void offerTrust();
  await granted;
}

async function offerTrust(): Promise<void> {
  const manage = l10n.t('Manage Workspace Trust');
  const answer = await window.showInformationMessage(
    l10n.t(
      'The demo starts when you trust this folder, which Beadsmith just created. Nothing runs until then.',
    ),
    manage,
  );
  if (answer === manage) await commands.executeCommand('workbench.trust.manage');
}
