import { l10n, ProgressLocation, window } from 'vscode';
import { joined } from '../../base/joined.ts';
import { sizeText } from '../../base/sizeText.ts';
import type { BackupChoice } from '../../protocol/upkeep.ts';
import { plainLabel } from '../shared/plainText.ts';
import { type Choice, isConfirmed, pickOne } from '../shared/quickInput.ts';
import type { RepositoryEntry } from '../shared/repositories.ts';
import { withCancel } from '../shared/withCancel.ts';
import type { Workbench } from '../shared/workbench.ts';

const mostNamed = 5;

/** Also where the tickets can't be opened any more. */
export async function restoreBackup(workbench: Workbench, entry: RepositoryEntry): Promise<void> {
  const { backups } = workbench;
  const list = await withCancel(l10n.t('Checking backups…'), () => backups.list(entry.root));
  if (!list) return;
  if (list.length === 0) {
    void window.showInformationMessage(
      l10n.t('{0} has no backups yet. One is made every hour while its tickets are worked on.', entry.name),
    );
    return;
  }
  const reply = await pickOne({
    title: l10n.t('{0}: Restore Backup', entry.name),
    placeholder: l10n.t('Select the state to restore for all tickets'),
    choices: await choicesOf(list, entry),
  });
  if (reply.kind !== 'given' || !(await mayRestore(reply.value, entry))) return;
  const progress = { location: ProgressLocation.Window, title: l10n.t('Restoring backup…') };
  const { lost } = await window.withProgress(progress, () => backups.restore(entry.root, reply.value.name));
  await workbench.board.refresh();
  const time = new Date(reply.value.at).toLocaleString();
  const kept = lost.map(({ ticket }) => ticket).join(', ');
  if (kept === '') void window.showInformationMessage(l10n.t('Restored the backup of {0}.', time));
  else
    void window.showWarningMessage(
      l10n.t(
        'Restored the backup of {0}. Commits that aren’t in the backup are kept under refs/beadsmith/<ticket>/restored: {1}. Of these tickets, the unfinished ones are paused.',
        time,
        kept,
      ),
    );
}

async function choicesOf(
  list: readonly BackupChoice[],
  entry: RepositoryEntry,
): Promise<readonly Choice<BackupChoice>[]> {
  const newest = await Promise.all(list.map((backup) => newerThan(backup, entry)));
  return list.map((value, index) => ({
    label: `$(history) ${new Date(value.at).toLocaleString()}`,
    description: `${sizeText(value.bytes)} · ${l10n.t('tickets: {0}', value.tickets)}`,
    detail:
      value.problem === null
        ? (newest[index] ?? '')
        : l10n.t('Can’t be restored: {0}', plainLabel(value.problem)),
    value,
  }));
}

async function newerThan({ at }: BackupChoice, entry: RepositoryEntry): Promise<string> {
  if (entry.kind === 'failed') return '';
  const newer = (await entry.repository.client.tickets())
    .filter(({ updatedAt }) => updatedAt > at)
    .map(({ id }) => id);
  if (newer.length === 0) return l10n.t('No tickets changed since then.');
  return newer.length <= mostNamed
    ? l10n.t('Changed since: {0}', newer.join(', '))
    : l10n.t('{0} tickets changed since then.', newer.length);
}

async function mayRestore(backup: BackupChoice, entry: RepositoryEntry): Promise<boolean> {
  const detail = joined(
    [
      l10n.t(
        'All tickets of {0} return to their state at that time. Decisions and progress since then are lost.',
        entry.name,
      ),
      await newerThan(backup, entry),
      l10n.t('The current database is kept next to it, and all commits are kept.'),
    ],
    '\n',
  );
  const question = l10n.t('Restore the backup of {0}?', new Date(backup.at).toLocaleString());
  return isConfirmed(question, detail, l10n.t('Restore'));
}
