import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { repositoryKey } from '../../protocol/documents.ts';
import type { Repositories } from '../../views/shared/repositories.ts';

/** `repository`: its key. */
export type MayHaveChanged = (repository: string, ticket: string) => boolean;

/** Tells which tickets may have changed, together within `pauseMs`. */
export class TicketChanges implements Disposable {
  readonly #repositories: Repositories;
  readonly #pauseMs: number;
  readonly #tell: (changed: MayHaveChanged) => void;
  readonly #watch: Disposable;
  #clients = new DisposableStore();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** `<repository>/<ticket>`, or `<repository>/` for all. */
  #due = new Set<string>();

  constructor(repositories: Repositories, pauseMs: number, tell: (changed: MayHaveChanged) => void) {
    this.#repositories = repositories;
    this.#pauseMs = pauseMs;
    this.#tell = tell;
    this.#watch = repositories.onDidChange(() => {
      for (const key of this.#connect()) this.#tellSoon(`${key}/`);
    });
    this.#connect();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#clients.dispose();
    this.#watch.dispose();
  }

  /** Returns the open repositories' keys. */
  #connect(): readonly string[] {
    this.#clients.dispose();
    this.#clients = new DisposableStore();
    const keys: string[] = [];
    for (const entry of this.#repositories.entries) {
      if (entry.kind !== 'open') continue;
      const key = repositoryKey(entry.root);
      keys.push(key);
      this.#clients.add(
        entry.repository.client.onDidChange((ticket) => this.#tellSoon(`${key}/${ticket ?? ''}`)),
      );
    }
    return keys;
  }

  #tellSoon(what: string): void {
    this.#due.add(what);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const due = this.#due;
      this.#due = new Set();
      this.#tell((repository, ticket) => due.has(`${repository}/`) || due.has(`${repository}/${ticket}`));
    }, this.#pauseMs);
  }
}
