import { l10n, window } from 'vscode';
import { writeText } from '../shared/quickInput.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { Workbench } from '../shared/workbench.ts';

export async function setServerPassword(workbench: Workbench): Promise<void> {
  const reply = await writeText({
    title: l10n.t('OpenCode Server Password'),
    prompt: l10n.t('Stored in the editor’s secret storage, never in settings or logs.'),
    isPassword: true,
    check: (text) => (text === '' ? l10n.t('Enter the password, or press Escape to cancel.') : undefined),
  });
  if (reply.kind !== 'given') return;
  await workbench.setServerPassword(reply.value);
  window.setStatusBarMessage(l10n.t('Password saved.'), 5_000);
}

export async function removeServerPassword(workbench: Workbench): Promise<void> {
  await workbench.setServerPassword(undefined);
  window.setStatusBarMessage(l10n.t('Password removed.'), 5_000);
}

export async function installOpencode({
  opencode,
  repositories,
}: Pick<Workbench, 'opencode' | 'repositories'>): Promise<void> {
  const { version, folder } = opencode;
  const install = l10n.t('Install');
  const answer = await window.showInformationMessage(
    l10n.t('Install OpenCode {0} for your user?', version),
    {
      modal: true,
      detail: l10n.t(
        'npm downloads it from its configured registry to a folder in your user cache: {0} (about 360 MB). Nothing else on this machine changes. To uninstall, delete the folder.',
        folder,
      ),
    },
    install,
  );
  if (answer !== install) return;
  const title = l10n.t('Installing OpenCode {0}…', version);
  const isDone = await withCancel(title, async (signal) => {
    await opencode.install(signal);
    return true;
  });
  if (!isDone) return;
  await repositories.open({ again: true });
  void window.showInformationMessage(l10n.t('OpenCode {0} is installed.', version));
}
