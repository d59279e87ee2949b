import {
  DocumentLink,
  type DocumentLinkProvider,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FilePermission,
  FileSystemError,
  type FileStat,
  type FileSystemProvider,
  FileType,
  l10n,
  languages,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { commandId } from '../views/commands.ts';
import { type SupportDocument, type SupportLink, type SupportName, supportScheme } from '../views/support/supportDocument.ts';

/** Documents that say how the product itself is doing: read-only, in memory, with links that run commands. */
export class SupportFiles implements FileSystemProvider, DocumentLinkProvider, Disposable {
  readonly #documents = new Map<string, SupportDocument & { readonly at: number }>();
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  constructor() {
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(workspace.registerFileSystemProvider(supportScheme, this, { isCaseSensitive: true, isReadonly: true }));
    this.#lifetime.add(languages.registerDocumentLinkProvider({ scheme: supportScheme }, this));
  }

  async show(name: SupportName, document: SupportDocument): Promise<void> {
    this.#documents.set(addressOf(name).path, { ...document, at: Date.now() });
    this.#changed.fire([{ type: FileChangeType.Changed, uri: addressOf(name) }]);
    await this.reveal(name);
  }

  async reveal(name: SupportName): Promise<void> {
    await window.showTextDocument(await workspace.openTextDocument(addressOf(name)), { preview: false });
  }

  shown(name: SupportName): string | undefined {
    return this.#documents.get(addressOf(name).path)?.text;
  }

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  stat(uri: Uri): FileStat {
    const { text, at } = this.#documentAt(uri);
    const size = new TextEncoder().encode(text).length;
    return { type: FileType.File, ctime: at, mtime: at, size, permissions: FilePermission.Readonly };
  }

  readFile(uri: Uri): Uint8Array {
    return new TextEncoder().encode(this.#documentAt(uri).text);
  }

  provideDocumentLinks({ uri }: TextDocument): DocumentLink[] {
    return this.#documentAt(uri).links.map(({ line, start, end, command, args }) => {
      const target = Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify(args))}`);
      return new DocumentLink(new Range(line, start, line, end), target);
    });
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotFound(uri);
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #documentAt(uri: Uri): SupportDocument & { readonly at: number } {
    return this.#documents.get(uri.path) ?? { ...gone(uri), at: 0 };
  }
}

function addressOf(name: SupportName): Uri {
  return Uri.from({ scheme: supportScheme, path: `/${name}` });
}

/** An editor that the window restored after a reload: what it showed is out of date, so it leads to making it anew. */
function gone({ path }: Uri): SupportDocument {
  const isReport = path === addressOf('report.md').path;
  const title = isReport ? l10n.t('Report Issue…') : l10n.t('Check Setup');
  const command = commandId(isReport ? 'reportIssue' : 'checkSetup');
  const link: SupportLink = { line: 2, start: 2, end: 2 + title.length, command, args: [] };
  return { text: `${l10n.t('This was made before the window was loaded anew, and is gone.')}\n\n→ ${title}\n`, links: [link] };
}
