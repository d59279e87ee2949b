import {
  commands as editor,
  type DocumentSymbol,
  l10n,
  TabInputCustom,
  TabInputText,
  TabInputTextDiff,
  type TextDocumentShowOptions,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
import { documentScheme, promptScheme } from '../../protocol/schemes.ts';
import type { CallTexts } from '../../protocol/history.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { artifactText } from './artifactText.ts';
import { artifactTitle, documentsOf, documentTitle } from './documentTypes.ts';
import { documentUri } from './documentUri.ts';
import { promptUri } from './promptAddress.ts';

/** Its title bar leads to the source. */
const markdownPreview = 'vscode.markdown.preview.editor';

/** `focus`: to type in it. */
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

export function isMarkdown({ path }: { readonly path: string }): boolean {
  return path.endsWith('.md');
}

export function shownDocument(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return window.activeTextEditor?.document.uri ?? (input instanceof TabInputCustom ? input.uri : undefined);
}

/** Beside another of our documents; else beside the person's work, or in its place if that is nothing. */
function freeColumn(): ViewColumn {
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

/** `items`: parts of the document, by id; the person is asked which one is shown. */
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

/** An item that isn't there any more leads to the beginning. */
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

/** Undefined when there is none or the person left. */
export async function pickDocument({ repository, ticket }: TicketPlace): Promise<string | undefined> {
  const { view } = await repository.client.ticket(ticket);
  const documents = documentsOf(view.beadsTotal, await repository.client.artifacts(ticket));
  if (documents.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no documents yet.', ticket));
    return undefined;
  }
  const choices = documents.map((value) => ({ label: `$(file) ${documentTitle(value)}`, value }));
  return valueOf(await pickOne({ title: l10n.t('Documents of {0}', ticket), choices }));
}

type Call = Pick<CallTexts, 'id' | 'prompt'>;

/** With `other`, the diff from that one. */
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
