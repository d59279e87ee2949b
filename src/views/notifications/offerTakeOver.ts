import { l10n, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Workbench } from '../shared/workbench.ts';
import { isConfirmed } from '../shared/quickInput.ts';

/** Only a person knows that an owner that can't be seen from here is gone. */
export function offerTakeOver({
  repositories,
  logError,
}: Pick<Workbench, 'repositories' | 'logError'>): Disposable {
  const offered = new Set<string>();
  const offer = async (root: string, message: string): Promise<void> => {
    const takeOver = l10n.t('Take Over…');
    if ((await window.showWarningMessage(message, takeOver)) !== takeOver) return;
    const detail = l10n.t(
      'Take over only if that process is gone, for example because its container was rebuilt. If it still works on the tickets, it stops as soon as it writes to the database; agents that it started may continue in its worktrees.',
    );
    if (await isConfirmed(message, detail, l10n.t('Take Over')))
      await repositories.open({ again: true, takeOver: root });
  };
  return repositories.onDidChange(() => {
    for (const entry of repositories.entries) {
      if (entry.kind !== 'failed' || entry.error.code !== 'OWNER_ELSEWHERE' || offered.has(entry.root))
        continue;
      offered.add(entry.root);
      offer(entry.root, entry.error.message).catch((error: unknown) => logError('taking over', error));
    }
  });
}
