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
import type { SupportDocument, SupportLink, SupportName } from '../../views/support/supportDocument.ts';
import { OwnFiles } from './ownFiles.ts';

/** Read-only documents about the product, in memory, with links that run commands. */
export class SupportFiles extends OwnFiles implements DocumentLinkProvider {
  readonly #documents = new Map<string, SupportDocument & { readonly at: number }>();

  constructor() {
    super();
    this.lifetime.add(languages.registerDocumentLinkProvider({ scheme: supportScheme }, this));
  }

  async show(name: SupportName, document: SupportDocument): Promise<void> {
    this.#documents.set(addressOf(name).path, { ...document, at: Date.now() });
    this.tell([{ type: FileChangeType.Changed, uri: addressOf(name) }]);
    await this.reveal(name);
  }

  async reveal(name: SupportName): Promise<void> {
    await window.showTextDocument(await workspace.openTextDocument(addressOf(name)), { preview: false });
  }

  shown(name: SupportName): string | undefined {
    return this.#documents.get(addressOf(name).path)?.text;
  }

  override stat(uri: Uri): Promise<FileStat> {
    const { text, at } = this.#documentAt(uri);
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
    return Promise.resolve(new TextEncoder().encode(this.#documentAt(uri).text));
  }

  provideDocumentLinks({ uri }: TextDocument): DocumentLink[] {
    return this.#documentAt(uri).links.map(({ line, start, end, command, args }) => {
      const target = Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify(args))}`);
      return new DocumentLink(new Range(line, start, line, end), target);
    });
  }

  #documentAt(uri: Uri): SupportDocument & { readonly at: number } {
    return this.#documents.get(uri.path) ?? { ...gone(uri), at: 0 };
  }
}

function addressOf(name: SupportName): Uri {
  return Uri.from({ scheme: supportScheme, path: `/${name}` });
}

/** A restored editor offers to create its document again. */
function gone({ path }: Uri): SupportDocument {
  const { title, command } = made(path);
  const link: SupportLink = {
    line: 2,
    start: 2,
    end: 2 + title.length,
    command: commandId(command),
    args: [],
  };
  return {
    text: `${l10n.t('Created before the window was reloaded and no longer available.')}\n\n→ ${title}\n`,
    links: [link],
  };
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
