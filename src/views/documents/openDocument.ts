import {
  commands as editor,
  type DocumentSymbol,
  l10n,
  TabInputCustom,
  TabInputText,
  TabInputTextDiff,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { documentScheme, promptScheme } from '../../protocol/schemes.ts';
import { pickOne } from '../shared/quickInput.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { artifactText } from './artifactText.ts';
import { artifactTitle, documentTitle } from './documentTitles.ts';
import { documentsOf } from './documentTypes.ts';
import { documentUri } from './documentUri.ts';

/** The editor's own rendered Markdown. Its title bar leads to the source. */
const markdownPreview = 'vscode.markdown.preview.editor';

/**
 * Opens the current version of a document, or a stored one; Markdown is rendered. `focus`: to type in it;
 * otherwise the person stays where they are.
 */
export async function openDocument(
  { repository, ticket }: TicketPlace,
  type: string,
  options: { readonly focus?: boolean; readonly version?: number | undefined } = {},
): Promise<void> {
  const uri = documentUri(repository.root, ticket, type, options.version);
  const shown = { viewColumn: freeColumn(), preview: true, preserveFocus: options.focus !== true };
  if (isMarkdown(uri)) await editor.executeCommand('vscode.openWith', uri, markdownPreview, shown);
  else await window.showTextDocument(await workspace.openTextDocument(uri), shown);
}

/** Returns true if a document is Markdown, which people read rendered. */
export function isMarkdown({ path }: { readonly path: string }): boolean {
  return path.endsWith('.md');
}

/** The address of the document in front, as text or rendered; undefined if it has none. */
export function shownDocument(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return window.activeTextEditor?.document.uri ?? (input instanceof TabInputCustom ? input.uri : undefined);
}

/**
 * Returns the column for a document: where one of ours is already shown; else beside what the person works
 * on; and if that is nothing, in its place.
 */
export function freeColumn(): ViewColumn {
  const groups = window.tabGroups.all;
  const ours = groups.find(({ tabs }) => tabs.some(({ input }) => isOurs(input)));
  if (ours) return ours.viewColumn;
  return groups.some(({ tabs }) => tabs.length > 0) ? ViewColumn.Beside : ViewColumn.Active;
}

function isOurs(input: unknown): boolean {
  const schemes: readonly string[] = [documentScheme, promptScheme];
  if (input instanceof TabInputText || input instanceof TabInputCustom)
    return schemes.includes(input.uri.scheme);
  return input instanceof TabInputTextDiff && schemes.includes(input.modified.scheme);
}

/**
 * Opens a document of a ticket, or a stored version of it; asks which, if none is named. `items`: parts of
 * it, by id, where one of them is shown; which, the person is asked.
 */
export async function showArtifact(
  place: TicketPlace,
  artifact?: string,
  {
    version,
    items,
  }: { readonly version?: number | undefined; readonly items?: readonly string[] | undefined } = {},
): Promise<void> {
  const type = artifact ?? (await pickDocument(place));
  if (type === undefined) return;
  if (!(await artifactText(place.repository.client, place.ticket, type, version)))
    void window.showInformationMessage(l10n.t('{0} doesn’t have this document.', place.ticket));
  else if (items === undefined || items.length === 0) await openDocument(place, type, { version });
  else await showItem(place, type, items);
}

/** Opens a document at one of its items. One that isn't in it any more leads to its beginning. */
async function showItem(
  { repository, ticket }: TicketPlace,
  type: string,
  items: readonly string[],
): Promise<void> {
  const document = await workspace.openTextDocument(documentUri(repository.root, ticket, type));
  const found = await editor.executeCommand<readonly DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  const symbols = allSymbols(found ?? []);
  const symbolOf = (item: string): DocumentSymbol | undefined => symbols.find(({ name }) => name === item);
  const choices = items.map((value) => ({ label: value, description: symbolOf(value)?.detail ?? '', value }));
  const reply = choices.length > 1 ? await pickOne({ title: artifactTitle(type), choices }) : undefined;
  if (reply && reply.kind !== 'given') return;
  const selection = symbolOf(reply?.value ?? items[0] ?? '')?.selectionRange;
  await window.showTextDocument(document, {
    viewColumn: freeColumn(),
    preview: true,
    ...(selection ? { selection } : {}),
  });
}

function allSymbols(symbols: readonly DocumentSymbol[]): readonly DocumentSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...allSymbols(symbol.children)]);
}

/** Asks for one of a ticket's documents; undefined when there is none or the person left. */
export async function pickDocument({ repository, ticket }: TicketPlace): Promise<string | undefined> {
  const { view } = await repository.client.ticket(ticket);
  const documents = documentsOf(view.beadsTotal, await repository.client.artifacts(ticket));
  if (documents.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no documents yet.', ticket));
    return undefined;
  }
  const choices = documents.map((value) => ({ label: `$(file) ${documentTitle(value)}`, value }));
  const reply = await pickOne({ title: l10n.t('Documents of {0}', ticket), choices });
  return reply.kind === 'given' ? reply.value : undefined;
}
