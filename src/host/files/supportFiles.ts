import {
  DocumentLink,
  type DocumentLinkProvider,
  FileChangeType,
  FilePermission,
  type FileStat,
  FileType,
  l10n,
  languages,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { commandId, type CommandName } from '../../views/commands/commands.ts';
import { supportScheme } from '../../protocol/schemes.ts';
import type { SupportName } from '../../views/support/supportDocument.ts';
import { OwnFiles } from './ownFiles.ts';

/** Read-only texts about the product, in memory. */
export class SupportFiles extends OwnFiles implements DocumentLinkProvider {
  readonly #texts = new Map<string, { readonly text: string; readonly at: number }>();

  constructor() {
    super();
    this.lifetime.add(languages.registerDocumentLinkProvider({ scheme: supportScheme }, this));
  }

  async show(name: SupportName, text: string): Promise<void> {
    const address = addressOf(name);
    this.#texts.set(address.path, { text, at: Date.now() });
    this.tell([{ type: FileChangeType.Changed, uri: address }]);
    await window.showTextDocument(await workspace.openTextDocument(address), { preview: false });
  }

  shown(name: SupportName): string | undefined {
    return this.#texts.get(addressOf(name).path)?.text;
  }

  override stat(uri: Uri): Promise<FileStat> {
    const { text, at } = this.#textAt(uri);
    const size = new TextEncoder().encode(text).length;
    return Promise.resolve({
      type: FileType.File,
      ctime: at,
      mtime: at,
      size,
      permissions: FilePermission.Readonly,
    });
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    return Promise.resolve(new TextEncoder().encode(this.#textAt(uri).text));
  }

  /** A restored editor offers to create its text again. */
  provideDocumentLinks({ uri }: TextDocument): DocumentLink[] {
    if (this.#texts.has(uri.path)) return [];
    const { title, command } = made(uri.path);
    const range = new Range(2, 2, 2, 2 + title.length);
    return [new DocumentLink(range, Uri.parse(`command:${commandId(command)}?[]`))];
  }

  #textAt(uri: Uri): { readonly text: string; readonly at: number } {
    return this.#texts.get(uri.path) ?? { text: goneText(uri), at: 0 };
  }
}

function addressOf(name: SupportName): Uri {
  return Uri.from({ scheme: supportScheme, path: `/${name}` });
}

function goneText({ path }: Uri): string {
  const { title } = made(path);
  return `${l10n.t('Created before the window was reloaded and no longer available.')}\n\n→ ${title}\n`;
}

function made(path: string): { readonly title: string; readonly command: CommandName } {
  switch (path) {
    case addressOf('report.md').path:
      return { title: l10n.t('Report Issue…'), command: 'reportIssue' };
    case addressOf('verification.txt').path:
      return { title: l10n.t('Verify Evidence…'), command: 'verifyEvidence' };
    case addressOf('import.md').path:
      return { title: l10n.t('Import Tickets…'), command: 'importTickets' };
    case addressOf('replay.txt').path:
      return { title: l10n.t('Replay Prompts'), command: 'replayPrompts' };
    case addressOf('request.txt').path:
      return { title: l10n.t('Answer the Agent…'), command: 'replyToAgent' };
    default:
      return { title: l10n.t('Check Setup'), command: 'checkSetup' };
  }
}
