import { TabInputText, TabInputTextDiff, ViewColumn, window, workspace } from 'vscode';
import { documentScheme } from '../protocol/schemes.ts';
import { documentUri } from './documentUri.ts';
import type { TicketPlace } from './workbench.ts';

/** Opens the present version of a document, or a stored one. `focus`: to type in it; otherwise the person stays where they are. */
export async function openDocument(
  { repository, ticket }: TicketPlace,
  type: string,
  options: { readonly focus?: boolean; readonly version?: number | undefined } = {},
): Promise<void> {
  const opened = await workspace.openTextDocument(documentUri(repository.root, ticket, type, options.version));
  await window.showTextDocument(opened, { viewColumn: freeColumn(), preview: true, preserveFocus: options.focus !== true });
}

/** Where a document of ours is shown already; else beside what the person works on; and if that is nothing, in its place. */
function freeColumn(): ViewColumn {
  const groups = window.tabGroups.all;
  const ours = groups.find(({ tabs }) => tabs.some(({ input }) => isOurs(input)));
  if (ours) return ours.viewColumn;
  return groups.some(({ tabs }) => tabs.length > 0) ? ViewColumn.Beside : ViewColumn.Active;
}

function isOurs(input: unknown): boolean {
  if (input instanceof TabInputText) return input.uri.scheme === documentScheme;
  return input instanceof TabInputTextDiff && input.modified.scheme === documentScheme;
}
