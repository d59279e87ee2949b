import { commands as editor, l10n, type Uri, window } from 'vscode';
import type { EditedArtifact } from '../views/editable.ts';

/**
 * A save would replace a version the person hasn't seen. Answers whether it may; a comparison is opened instead if they want one. Either way both
 * texts are kept: this one in the editor, the other as a version.
 */
export async function askToOverwrite(file: string, uri: Uri, present: number | undefined): Promise<boolean> {
  const [overwrite, compare] = [l10n.t('Overwrite'), l10n.t('Compare')];
  const answer = await window.showWarningMessage(
    l10n.t('{0} was changed by someone else in the meantime.', file),
    { modal: true, detail: l10n.t('Overwrite it with your text? The other version stays in the history.') },
    overwrite,
    ...(present === undefined ? [] : [compare]),
  );
  if (answer === compare && present !== undefined) {
    const left = uri.with({ query: `version=${String(present)}` });
    await editor.executeCommand('vscode.diff', left, uri, l10n.t('{0}: present version ↔ yours', file));
  }
  return answer === overwrite;
}

/** An approved document is about to be changed. Answers whether what was built on it may be thrown away. */
export async function askToRewind(ticket: string, file: string, artifact: EditedArtifact): Promise<boolean> {
  const save = l10n.t('Save and Plan Anew');
  const detail =
    artifact === 'interview'
      ? l10n.t('It was approved. The PRD and the beads were made from it: they are archived, and planning starts again from the PRD.')
      : l10n.t('It was approved. The beads were made from it: they are archived, and planning starts again from the beads.');
  const question = l10n.t('Save {0} of {1} and go back in planning?', file, ticket);
  return (await window.showWarningMessage(question, { modal: true, detail }, save)) === save;
}
