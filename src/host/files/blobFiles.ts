import { FileSystemError, l10n, type Uri } from 'vscode';
import { keepNewest } from '../../base/keepNewest.ts';
import { repositoryOf } from '../../views/documents/documentUri.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { parseBlobAddress } from '../../views/review/blobAddress.ts';
import { OwnFiles } from '../repositories/ownFiles.ts';
import { parsePromptAddress } from '../../views/documents/promptAddress.ts';

/** Number of files that are kept: the editor asks for each twice, and a multi-diff for many at once. */
const keptFiles = 64;

/** The sides of diffs as read-only files. A blob is named by its commit, so it never changes. */
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

/** The texts of prompts as read-only files. A call is never changed, so neither is its text. */
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
