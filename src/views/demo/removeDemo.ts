import { commands as editor, l10n, Uri, window, workspace } from 'vscode';
import { pickOne } from '../shared/quickInput.ts';
import type { Workbench } from '../shared/workbench.ts';
import type { DemoPlace } from './demo.ts';

/** Deletes a demo after a warning, and closes its folder where this window shows it. */
export async function removeDemo({ demo }: Workbench): Promise<void> {
  const place = await choose(await demo.all());
  if (!place) return;
  const remove = l10n.t('Delete');
  const detail = l10n.t(
    'This permanently deletes the sample repository, its tickets and worktrees, and everything else in {0}.',
    place.folder,
  );
  const answer = await window.showWarningMessage(l10n.t('Remove the demo?'), { modal: true, detail }, remove);
  if (answer !== remove) return;
  await demo.remove(place);
  await closeFolders(place);
  window.setStatusBarMessage(l10n.t('Demo removed.'), 5_000);
}

async function choose(places: readonly DemoPlace[]): Promise<DemoPlace | undefined> {
  const [only] = places;
  if (!only) void window.showInformationMessage(l10n.t('No demo found on this machine.'));
  if (places.length <= 1) return only;
  const choices = places.map((value) => ({ label: `$(repo) ${value.repository}`, value }));
  const reply = await pickOne({ title: l10n.t('Select a demo'), choices });
  return reply.kind === 'given' ? reply.value : undefined;
}

async function closeFolders({ folder }: DemoPlace): Promise<void> {
  const inside = `${Uri.file(folder).path}/`;
  const all = workspace.workspaceFolders ?? [];
  const gone = all.filter(({ uri }) => uri.scheme === 'file' && uri.path.startsWith(inside));
  if (gone.length > 0 && gone.length === all.length)
    await editor.executeCommand('workbench.action.closeFolder');
  else
    for (const { uri } of gone)
      workspace.updateWorkspaceFolders(
        all.findIndex((one) => one.uri === uri),
        1,
      );
}
