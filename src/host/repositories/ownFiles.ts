import {
  EventEmitter,
  type FileChangeEvent,
  FilePermission,
  type FileStat,
  FileSystemError,
  FileType,
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

  abstract readFile(uri: Uri): Promise<Uint8Array>;

  /** A file that nobody may change, and that never changes. */
  async stat(uri: Uri): Promise<FileStat> {
    const { length } = await this.readFile(uri);
    return { type: FileType.File, ctime: 0, mtime: 0, size: length, permissions: FilePermission.Readonly };
  }

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
