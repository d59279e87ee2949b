import {
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileType,
  type Uri,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** Base of the files of one scheme: they exist only because we provide them. */
export abstract class OwnFiles implements Disposable {
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  protected readonly lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  protected constructor() {
    this.lifetime.add(this.#changed);
  }

  abstract stat(uri: Uri): Promise<FileStat>;
  abstract readFile(uri: Uri): Promise<Uint8Array>;

  readDirectory(uri: Uri): Promise<[string, FileType][]> {
    return Promise.reject(FileSystemError.FileNotFound(uri));
  }

  writeFile(uri: Uri, _content: Uint8Array): Promise<void> {
    return Promise.reject(FileSystemError.NoPermissions(uri));
  }

  dispose(): void {
    this.lifetime.dispose();
  }

  protected tell(changes: FileChangeEvent[]): void {
    if (changes.length > 0) this.#changed.fire(changes);
  }
}
