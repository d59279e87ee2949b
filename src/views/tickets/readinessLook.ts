import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Readiness } from '../shared/repositories.ts';
import type { Workbench } from '../shared/workbench.ts';

/**
 * Checks, when repositories were opened, whether tickets could be worked on at all, and again when a
 * repository without commits gets one. Only a view without tickets has to say so before a person tries.
 */
export class ReadinessLook implements Disposable {
  readonly #workbench: Pick<Workbench, 'repositories' | 'board' | 'logError'>;
  readonly #changed = new Emitter<void>();
  readonly #lifetime = new DisposableStore();
  /** There while a repository is known to have no commits. */
  #watches: DisposableStore | undefined;
  #found: Readiness | undefined;
  /** Counts the checks: of several at a time, the last one knows best. */
  #turn = 0;

  readonly onDidChange = this.#changed.on;

  constructor(workbench: Pick<Workbench, 'repositories' | 'board' | 'logError'>) {
    this.#workbench = workbench;
    this.#lifetime.add(
      workbench.repositories.onDidChange(() => {
        this.#found = undefined;
        this.#turn += 1;
        this.#stopWatching();
      }),
    );
    this.#lifetime.add(workbench.board.onDidRead(() => void this.#look()));
  }

  /** Of the repository that is worst off; undefined as long as nobody looked. */
  get found(): Readiness | undefined {
    return this.#found;
  }

  dispose(): void {
    this.#turn += 1;
    this.#stopWatching();
    this.#lifetime.dispose();
    this.#changed.dispose();
  }

  async #look(): Promise<void> {
    const { repositories, board } = this.#workbench;
    const hasNone =
      board.rows.length > 0 && board.rows.every(({ tickets, error }) => tickets.length === 0 && !error);
    if (this.#found || !hasNone || !repositories.trusted || repositories.state !== 'ready') return;
    this.#found = { hasCommits: true, opencode: 'found' };
    await this.#check();
  }

  async #check(): Promise<void> {
    const { repositories, logError } = this.#workbench;
    const turn = ++this.#turn;
    try {
      const open = repositories.entries.flatMap((entry) => (entry.kind === 'open' ? [entry.repository] : []));
      const all = await Promise.all(open.map((repository) => repository.readiness()));
      if (turn !== this.#turn) return;
      const hasCommits = all.every((readiness) => readiness.hasCommits);
      if (!hasCommits && !this.#watches) {
        this.#watches = new DisposableStore();
        for (const repository of open) this.#watches.add(repository.watchBranches(() => void this.#check()));
        // The first commit may have been made before the watch began.
        await this.#check();
        return;
      }
      if (hasCommits) this.#stopWatching();
      this.#found = {
        hasCommits,
        opencode: all.find(({ opencode }) => opencode !== 'found')?.opencode ?? 'found',
      };
      this.#changed.emit();
    } catch (error) {
      logError('readiness', error);
    }
  }

  #stopWatching(): void {
    this.#watches?.dispose();
    this.#watches = undefined;
  }
}
