import { FilePermission, FileSystemError, type FileStat, FileType, l10n, type Uri } from 'vscode';
import { repositoryOf } from '../../views/documents/documentUri.ts';
import { parsePromptAddress } from '../../views/documents/promptAddress.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { OwnFiles } from '../repositories/ownFiles.ts';

/** The texts of prompts as read-only files. A call is never changed, so neither is its text. */
export class PromptTexts extends OwnFiles {
  readonly #repositories: Repositories;

  constructor(repositories: Repositories) {
    super();
    this.#repositories = repositories;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { length } = await this.readFile(uri);
    return { type: FileType.File, ctime: 0, mtime: 0, size: length, permissions: FilePermission.Readonly };
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
