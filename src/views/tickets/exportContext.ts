import { commands as editor, l10n, Uri, window, workspace } from 'vscode';
import { exportInspection, type InspectionFormat } from '../../protocol/export/exportInspection.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** By the ending of the file that a person names; anything else is Markdown. */
const formats: Readonly<Record<string, InspectionFormat>> = { csv: 'csv', json: 'json', md: 'markdown' };

/**
 * Writes what each model call of a ticket was made of, with tokens and costs, into a file
 * (docs/prompt-cache.md). The texts of prompts aren't in it.
 */
export async function exportContext({ repository, ticket }: TicketPlace): Promise<void> {
  const calls = await repository.client.history.inspect(ticket);
  if (calls.length === 0) {
    void window.showInformationMessage(l10n.t('No model calls for {0} yet.', ticket));
    return;
  }
  const file = await window.showSaveDialog({
    title: l10n.t('Export Context of Model Calls'),
    // Beside the checkout: inside it, the export would be a change of it.
    defaultUri: Uri.joinPath(Uri.file(repository.root), '..', `${ticket}-context.csv`),
    filters: { CSV: ['csv'], JSON: ['json'], Markdown: ['md'] },
  });
  if (!file) return;
  const ending = file.path.slice(file.path.lastIndexOf('.') + 1).toLowerCase();
  await workspace.fs.writeFile(
    file,
    new TextEncoder().encode(exportInspection(calls, formats[ending] ?? 'markdown')),
  );
  const open = l10n.t('Open');
  const answer = await window.showInformationMessage(l10n.t('{0} exported to {1}.', ticket, file.path), open);
  if (answer === open) await editor.executeCommand('vscode.open', file);
}
