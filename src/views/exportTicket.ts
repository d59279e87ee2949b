import { commands as editor, l10n, Uri, window, workspace } from 'vscode';
import { artifactText } from './artifactText.ts';
import { documentsOf } from './documentTypes.ts';
import { documentTitle } from './documentTitles.ts';
import { exportText } from './exportText.ts';
import { readParts } from './tree/ticketFacts.ts';
import type { TicketPlace } from './workbench.ts';

/** Writes a ticket with its documents, beads and runs into one Markdown file, where the person wants it. */
export async function exportTicket({ repository, ticket }: TicketPlace): Promise<void> {
  const file = await window.showSaveDialog({
    title: l10n.t('Export {0}', ticket),
    saveLabel: l10n.t('Export'),
    defaultUri: Uri.joinPath(Uri.file(repository.root), `${ticket}.md`),
    filters: { Markdown: ['md'] },
  });
  if (!file) return;
  const { client } = repository;
  const parts = await readParts(client, ticket);
  const documents = [];
  for (const type of documentsOf(parts.beads.length, parts.artifacts)) {
    const text = await artifactText(client, ticket, type);
    if (text) documents.push({ title: documentTitle(type), ...text });
  }
  await workspace.fs.writeFile(file, new TextEncoder().encode(exportText(parts, documents)));
  const open = l10n.t('Open');
  const answer = await window.showInformationMessage(l10n.t('{0} is exported.', ticket), open);
  if (answer === open) await editor.executeCommand('vscode.open', file);
}
