import {
  EventEmitter,
  FilePermission,
  FileSystemError,
  FileType,
  l10n,
  type FileChangeEvent,
  type FileStat,
  type Uri,
} from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { keepNewest } from '../../base/keepNewest.ts';
import { repositoryOf } from '../../views/documents/documentUri.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { parseBlobAddress } from '../../views/review/blobAddress.ts';
import { parsePromptAddress } from '../../views/documents/promptAddress.ts';

export abstract class OwnFiles implements Disposable {
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  protected readonly lifetime = new DisposableStore();

  readonly onDidChangeFile = this.#changed.event;

  protected constructor() {
    this.lifetime.add(this.#changed);
  }

  abstract readFile(uri: Uri): Promise<Uint8Array>;

  /** Read-only and unchanging. */
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

/** The editor reads each twice, and many for a multi-diff. */
const keptFiles = 64;

/** The sides of diffs, read-only. A commit's blob never changes. */
export class BlobFiles extends OwnFiles {
  readonly #repositories: Repositories;
  readonly #kept = new Map<string, Promise<Uint8Array>>();

  constructor(repositories: Repositories) {
    super();
    this.#repositories = repositories;
  }

  readFile(uri: Uri): Promise<Uint8Array> {
    const key = uri.toString();
    const known = this.#kept.get(key);
    if (known) return known;
    const reading = this.#read(uri);
    this.#kept.set(key, reading);
    reading.catch(() => this.#kept.delete(key));
    keepNewest(this.#kept, keptFiles);
    return reading;
  }

  async #read(uri: Uri): Promise<Uint8Array> {
    const place = parseBlobAddress(uri);
    if (!place) throw FileSystemError.FileNotFound(uri);
    if (place.commit === null) return new Uint8Array();
    await this.#repositories.open();
    const repository = repositoryOf(this.#repositories, place.repository);
    if (!repository)
      throw FileSystemError.Unavailable(l10n.t('The repository of this diff isn’t open in this window.'));
    const bytes = await repository.client.diffs.file(place.ticket, place.commit, place.path);
    if (!bytes) throw FileSystemError.FileNotFound(uri);
    return bytes;
  }
}

/** Prompts, read-only. A call never changes. */
export class PromptTexts extends OwnFiles {
  readonly #repositories: Repositories;

  constructor(repositories: Repositories) {
    super();
    this.#repositories = repositories;
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const place = parsePromptAddress(uri);
    if (!place) throw FileSystemError.FileNotFound(uri);
    await this.#repositories.open();
    const repository = repositoryOf(this.#repositories, place.repository);
    if (!repository)
      throw FileSystemError.Unavailable(l10n.t('The repository of this prompt isn’t open in this window.'));
    const call = await repository.client.history.call(place.ticket, place.call);
    if (!call) throw FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(call.input);
  }
}
