import { type TextDocument, type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { repositoryOf } from '../documents/documentUri.ts';
import { openOf, type OpenRepository, type Repositories } from '../shared/repositories.ts';
import { type BlobPlace, parseBlobAddress } from './blobAddress.ts';

const pauseMs = 150;

export interface DiffSide {
  readonly document: TextDocument;
  readonly place: BlobPlace;
}

interface Shows {
  /** Has to ask again whether a document is closed meanwhile. */
  readonly show: (repository: OpenRepository, ticket: string, sides: readonly DiffSide[]) => Promise<void>;
  readonly drop: (uri: Uri) => void;
  readonly isShowing: () => boolean;
  readonly logError: (error: unknown) => void;
}

/** Shows again when a ticket or a repository changes. */
export class DiffDocuments implements Disposable {
  readonly #repositories: Repositories;
  readonly #shows: Shows;
  readonly #lifetime = new DisposableStore();
  #clients = new DisposableStore();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(repositories: Repositories, shows: Shows) {
    this.#repositories = repositories;
    this.#shows = shows;
    this.#lifetime.add(workspace.onDidOpenTextDocument((document) => this.#look([document])));
    this.#lifetime.add(workspace.onDidCloseTextDocument(({ uri }) => shows.drop(uri)));
    this.#lifetime.add(repositories.onDidChange(() => this.#reconnect()));
    this.#reconnect();
  }

  async showAll(documents: readonly TextDocument[] = workspace.textDocuments): Promise<void> {
    const sides = documents.flatMap((document): readonly DiffSide[] => {
      const place = placeOf(document.uri);
      return place?.commit ? [{ document, place }] : [];
    });
    // A multi-diff has many documents of one ticket.
    const tickets = Map.groupBy(sides, ({ place: { repository, ticket } }) => `${repository} ${ticket}`);
    for (const own of tickets.values()) {
      const [side] = own;
      const repository = side && (await this.repositoryOf(side.place));
      if (repository) await this.#shows.show(repository, side.place.ticket, own);
    }
  }

  async repositoryOf(place: BlobPlace): Promise<OpenRepository | undefined> {
    await this.#repositories.open();
    return repositoryOf(this.#repositories, place.repository);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clients.dispose();
    this.#lifetime.dispose();
  }

  #reconnect(): void {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    for (const { client } of openOf(this.#repositories))
      this.#clients.add(client.onDidChange(() => this.#lookSoon()));
    this.#look(workspace.textDocuments);
  }

  #lookSoon(): void {
    if (!this.#shows.isShowing()) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look(workspace.textDocuments);
    }, pauseMs);
  }

  #look(documents: readonly TextDocument[]): void {
    this.showAll(documents).catch(this.#shows.logError);
  }
}

/** Only the right side of a diff is commented on. */
export function placeOf(uri: Uri): BlobPlace | undefined {
  const { scheme, authority, path, query } = uri;
  const place = parseBlobAddress({ scheme, authority, path, query });
  return place?.side === 'new' ? place : undefined;
}
