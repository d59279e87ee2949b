import { type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { repositoryKey } from '../protocol/documents.ts';
import { placeOf } from '../views/documentUri.ts';
import type { Repositories } from '../views/repositories.ts';

/** The engine writes many times a second; open documents are looked at no more often than this. */
const pauseMs = 150;

/** Tells which open documents may have changed: those of the tickets that did, or all of a repository that was opened. Stored versions never do. */
export class DocumentWatch implements Disposable {
  readonly #repositories: Repositories;
  readonly #look: (uris: readonly Uri[]) => Promise<void>;
  readonly #logError: (what: string, error: unknown) => void;
  readonly #watch: Disposable;
  #clients = new DisposableStore();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** `<repository>/<ticket>`, or `<repository>/` for all of it. */
  readonly #due = new Set<string>();

  constructor(repositories: Repositories, look: (uris: readonly Uri[]) => Promise<void>, logError: (what: string, error: unknown) => void) {
    this.#repositories = repositories;
    this.#look = look;
    this.#logError = logError;
    this.#watch = repositories.onDidChange(() => this.#reconnect());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clients.dispose();
    this.#watch.dispose();
  }

  #reconnect(): void {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    for (const entry of this.#repositories.entries) {
      if (entry.kind !== 'open') continue;
      const key = repositoryKey(entry.root);
      this.#clients.add(entry.repository.client.onDidChange((ticket) => this.#lookSoon(`${key}/${ticket ?? ''}`)));
      this.#lookSoon(`${key}/`);
    }
  }

  #lookSoon(what: string): void {
    this.#due.add(what);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = [...this.#due];
      this.#due.clear();
      this.#look(openDocuments(due)).catch((error: unknown) => this.#logError('documents', error));
    }, pauseMs);
  }
}

function openDocuments(due: readonly string[]): readonly Uri[] {
  return workspace.textDocuments
    .map(({ uri }) => uri)
    .filter((uri) => {
      const place = placeOf(uri);
      if (!place || place.version !== undefined) return false;
      return due.some((what) => what === `${place.repository}/` || what === `${place.repository}/${place.ticket}`);
    });
}
