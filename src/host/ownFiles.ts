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
import { type Disposable, DisposableStore } from '../base/disposable.ts';

/**
 * Files that are only there because we say so. Nobody adds, removes or renames any, and what changes is told whether anybody watches it or not.
 */
export abstract class OwnFiles implements FileSystemProvider, Disposable {
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  protected readonly lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  protected constructor(scheme: string, options: { readonly isReadonly: boolean }) {
    this.lifetime.add(this.#changed);
    this.lifetime.add(workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, ...options }));
  }

  abstract stat(uri: Uri): Promise<FileStat>;
  abstract readFile(uri: Uri): Promise<Uint8Array>;

  readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return Promise.reject(FileSystemError.FileNotFound(uri));
  }

  writeFile(uri: Uri, _content: Uint8Array): Promise<void> {
    return Promise.reject(FileSystemError.NoPermissions(uri));
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
    this.lifetime.dispose();
  }

  protected tell(changes: FileChangeEvent[]): void {
    if (changes.length > 0) this.#changed.fire(changes);
  }
}
