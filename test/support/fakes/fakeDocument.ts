import type { FileSystemProvider, Uri as EditorUri } from 'vscode';
import { ownWindow, TabInputText, Uri, window, workspace } from './fakeEditor.ts';

/** A text document in a tab, of the files that a test gives; it is written and saved as by a person. */
export class FakeDocument {
  readonly uri: Uri;
  readonly #files: Pick<FileSystemProvider, 'writeFile'>;
  #text: string;
  isDirty = false;

  private constructor(uri: Uri, files: Pick<FileSystemProvider, 'writeFile'>, text: string) {
    this.uri = uri;
    this.#files = files;
    this.#text = text;
  }

  static async open(
    address: EditorUri,
    files: Pick<FileSystemProvider, 'readFile' | 'writeFile'>,
  ): Promise<FakeDocument> {
    const { scheme, authority, path } = address;
    const uri = Uri.from({ scheme, authority, path });
    const known = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (known instanceof FakeDocument) return known;
    const text = new TextDecoder().decode(await files.readFile(address));
    const document = new FakeDocument(uri, files, text);
    workspace.textDocuments = [...workspace.textDocuments, document];
    window.tabGroups.all = [
      {
        viewColumn: 1,
        tabs: [...window.tabGroups.all.flatMap(({ tabs }) => tabs), { input: new TabInputText(uri) }],
      },
    ];
    window.activeTextEditor = { document };
    ownWindow.openedDocument.emit(document);
    return document;
  }

  get lineCount(): number {
    return this.#text.split('\n').length;
  }

  getText = (): string => this.#text;

  lineAt(line: number): { readonly text: string } {
    return { text: this.#text.split('\n')[line] ?? '' };
  }

  write(text: string): void {
    this.#text = text;
    this.isDirty = true;
    ownWindow.edited.emit({ document: this });
  }

  async save(): Promise<boolean> {
    if (!this.isDirty) return true;
    try {
      const bytes = new TextEncoder().encode(this.#text);
      await this.#files.writeFile(this.uri as unknown as EditorUri, bytes, { create: true, overwrite: true });
    } catch {
      return false;
    }
    this.isDirty = false;
    return true;
  }

  /** As the editor does when its tab was closed. */
  close(): void {
    workspace.textDocuments = workspace.textDocuments.filter((one) => one !== this);
    window.tabGroups.all = window.tabGroups.all.map((group) => ({
      ...group,
      tabs: group.tabs.filter(({ input }) => !(input instanceof TabInputText && input.uri === this.uri)),
    }));
    ownWindow.closed.emit(this);
  }
}
