import { commands as editor, l10n, type TextDocumentShowOptions, window, workspace } from 'vscode';
import type { CallTexts } from '../../protocol/history.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { freeColumn } from './openDocument.ts';
import { promptUri } from './promptAddress.ts';

type Call = Pick<CallTexts, 'id' | 'prompt'>;

/**
 * Opens the whole text of a prompt beside what the person works on; with `other`, what differs from that one,
 * which is on the left.
 */
export async function showPrompt(
  { repository, ticket }: TicketPlace,
  call: Call,
  other: Call | null,
): Promise<void> {
  const options: TextDocumentShowOptions = { viewColumn: freeColumn(), preview: true };
  const uri = promptUri(repository.root, ticket, call);
  if (!other) {
    await window.showTextDocument(await workspace.openTextDocument(uri), options);
    return;
  }
  const title = l10n.t('{0}: prompt “{1}”, compared', ticket, call.prompt);
  await editor.executeCommand('vscode.diff', promptUri(repository.root, ticket, other), uri, title, options);
}
