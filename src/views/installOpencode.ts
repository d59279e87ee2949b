import { l10n, window } from 'vscode';
import { withCancel } from './withCancel.ts';
import type { Workbench } from './workbench.ts';

/** Explains what would be installed, how large it is and where it goes; asks; and installs it, as long as nobody cancels. */
export async function installOpencode({ opencode, repositories }: Pick<Workbench, 'opencode' | 'repositories'>): Promise<void> {
  const { version, folder } = opencode;
  const install = l10n.t('Install');
  const answer = await window.showInformationMessage(
    l10n.t('Install OpenCode {0} for your user?', version),
    {
      modal: true,
      detail: l10n.t(
        'npm downloads it from the registry it is set up with, into a folder of your user’s cache: {0}. It takes about 360 MB there. Nothing else on this machine changes, and deleting that folder removes it.',
        folder,
      ),
    },
    install,
  );
  if (answer !== install) return;
  const title = l10n.t('Installing OpenCode {0} …', version);
  const isDone = await withCancel(title, async (signal) => {
    await opencode.install(signal);
    return true;
  });
  if (!isDone) return;
  await repositories.open({ again: true });
  void window.showInformationMessage(l10n.t('OpenCode {0} is installed.', version));
}
