import {
  EventEmitter,
  type FileChangeEvent,
  FilePermission,
  FileSystemError,
  type FileStat,
  type FileSystemProvider,
  FileType,
  l10n,
  type Uri,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { repositoryOf } from '../views/documentUri.ts';
import type { Repositories } from '../views/repositories.ts';
import { blobScheme, parseBlobAddress } from '../views/review/blobAddress.ts';

/** How many files are kept: the editor asks for each twice, and a multi-diff for many at once. */
const keptFiles = 64;

/** The sides of diffs as read-only files. A blob is named by its commit, so it never changes. */
export class BlobFiles implements FileSystemProvider, Disposable {
  readonly #repositories: Repositories;
  readonly #kept = new Map<string, Promise<Uint8Array>>();
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly #lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.#lifetime.add(this.#changed);
    this.#lifetime.add(workspace.registerFileSystemProvider(blobScheme, this, { isCaseSensitive: true, isReadonly: true }));
  }

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { length } = await this.readFile(uri);
    return { type: FileType.File, ctime: 0, mtime: 0, size: length, permissions: FilePermission.Readonly };
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    const key = uri.toString();
    const known = this.#kept.get(key);
    if (known) return known;
    const reading = this.#read(uri);
    this.#kept.set(key, reading);
    reading.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptFiles && oldest !== undefined) this.#kept.delete(oldest);
    return reading;
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

  async #read(uri: Uri): Promise<Uint8Array> {
    const place = parseBlobAddress(uri);
    if (!place) throw FileSystemError.FileNotFound(uri);
    if (place.commit === null) return new Uint8Array();
    await this.#repositories.open();
    const repository = repositoryOf(this.#repositories, place.repository);
    if (!repository) throw FileSystemError.Unavailable(l10n.t('The repository of this diff isn’t open in this window.'));
    const bytes = await repository.client.diffs.file(place.ticket, place.commit, place.path);
    if (!bytes) throw FileSystemError.FileNotFound(uri);
    return bytes;
  }
}
