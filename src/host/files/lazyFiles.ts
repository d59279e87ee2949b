import {
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  type FileType,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { OwnFiles } from '../repositories/ownFiles.ts';

/**
 * The files of one scheme as the editor knows them; their content is loaded when the first is requested. No
 * file can be added, removed or renamed, and changes are reported whether a file is watched or not.
 */
export class LazyFiles implements FileSystemProvider, Disposable {
  readonly #load: () => Promise<OwnFiles>;
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  constructor(scheme: string, options: { readonly isReadonly: boolean }, load: () => Promise<OwnFiles>) {
    this.#load = load;
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(
      workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, ...options }),
    );
  }

  /** Called once, with what was loaded. */
  follow(files: OwnFiles): void {
    this.#lifetime.add(files.onDidChangeFile((changes) => this.#changed.fire(changes)));
  }

  async stat(uri: Uri): Promise<FileStat> {
    return (await this.#load()).stat(uri);
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.#load()).readFile(uri);
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return (await this.#load()).readDirectory(uri);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await (await this.#load()).writeFile(uri, content);
  }

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  createDirectory(uri: Uri): never {
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
}
