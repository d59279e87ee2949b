import { l10n, window, workspace, type TextDocument } from 'vscode';
import { repositoryKey } from '../../protocol/documents.ts';
import { placeOf } from './documentUri.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** Answers whether to continue; not if the person cancels or a document can't be saved. */
export async function settleUnsaved({ repository, ticket }: TicketPlace): Promise<boolean> {
  const unsaved = workspace.textDocuments.filter(
    (document) => document.isDirty && isOf(document, repository.root, ticket),
  );
  if (unsaved.length === 0) return true;
  const [save, leave] = [l10n.t('Save and Continue'), l10n.t('Continue Without Saving')];
  const answer = await window.showWarningMessage(
    l10n.t('{0} has unsaved changes.', ticket),
    {
      modal: true,
      detail: l10n.t(
        'In {0}. Your decision applies to the saved version. If you continue without saving, the changes stay in the editor.',
        unsaved.map(({ uri }) => uri.path.split('/').slice(2).join('/')).join(', '),
      ),
    },
    save,
    leave,
  );
  if (answer !== save) return answer === leave;
  for (const document of unsaved) if (!(await document.save())) return false;
  return true;
}

function isOf({ uri }: TextDocument, root: string, ticket: string): boolean {
  const place = placeOf(uri);
  return place?.repository === repositoryKey(root) && place.ticket === ticket;
}
