import { type Uri, workspace, commands as editor, l10n, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { documentOfType } from '../../domain/documents/documents.ts';
import { placeOf } from '../../views/documents/documentUri.ts';
import type { EditedArtifact } from '../../views/documents/saveDocument.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { type MayHaveChanged, TicketChanges } from '../repositories/ticketChanges.ts';

/** The engine writes many times a second; open documents are checked no more often than this. */
const pauseMs = 150;

/**
 * Reports which open documents may have changed: those of the tickets that did, or all of a repository that
 * was opened. Stored versions never do.
 */
export function watchDocuments(
  repositories: Repositories,
  look: (uris: readonly Uri[]) => Promise<void>,
  logError: (what: string, error: unknown) => void,
): Disposable {
  return new TicketChanges(repositories, pauseMs, (changed) => {
    look(openDocuments(changed)).catch((error: unknown) => logError('documents', error));
  });
}

function openDocuments(changed: MayHaveChanged): readonly Uri[] {
  return workspace.textDocuments
    .map(({ uri }) => uri)
    .filter((uri) => {
      const place = placeOf(uri);
      return place !== undefined && place.version === undefined && changed(place.repository, place.ticket);
    });
}

/**
 * A save would replace a version the person hasn't seen. Answers whether it may; a comparison is opened
 * instead if they want one. Either way both texts are kept: this one in the editor, the other as a version.
 */
export async function askToOverwrite(file: string, uri: Uri, present: number | undefined): Promise<boolean> {
  const [overwrite, compare] = [l10n.t('Overwrite'), l10n.t('Compare')];
  const answer = await window.showWarningMessage(
    l10n.t('Someone else changed {0}.', file),
    {
      modal: true,
      detail: l10n.t('Overwrite it with your version? The other version stays in the history.'),
    },
    overwrite,
    ...(present === undefined ? [] : [compare]),
  );
  if (answer === compare && present !== undefined) {
    const left = uri.with({ query: `version=${String(present)}` });
    await editor.executeCommand('vscode.diff', left, uri, l10n.t('{0}: current version ↔ yours', file));
  }
  return answer === overwrite;
}

/** An approved document is about to be changed. Answers whether what was built on it may be thrown away. */
export async function askToRewind(ticket: string, file: string, artifact: EditedArtifact): Promise<boolean> {
  const save = l10n.t('Save and Replan');
  const detail = l10n.t(documentOfType(artifact)?.approval?.rewindWarning ?? '');
  const question = l10n.t('Save {0} of {1} and rewind planning?', file, ticket);
  return (await window.showWarningMessage(question, { modal: true, detail }, save)) === save;
}
