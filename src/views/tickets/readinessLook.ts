import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Readiness } from '../shared/repositories.ts';
import type { Workbench } from '../shared/workbench.ts';

/**
 * Checks, when repositories were opened, whether tickets could be worked on at all. Only a view without tickets has to say so before a person tries.
 */
export class ReadinessLook implements Disposable {
  readonly #workbench: Pick<Workbench, 'repositories' | 'board' | 'logError'>;
  readonly #changed = new Emitter<void>();
  readonly #lifetime = new DisposableStore();
  #found: Readiness | undefined;

  readonly onDidChange = this.#changed.on;

  constructor(workbench: Pick<Workbench, 'repositories' | 'board' | 'logError'>) {
    this.#workbench = workbench;
    this.#lifetime.add(workbench.repositories.onDidChange(() => (this.#found = undefined)));
    this.#lifetime.add(workbench.board.onDidRead(() => void this.#look()));
  }

  /** Of the repository that is worst off; undefined as long as nobody looked. */
  get found(): Readiness | undefined {
    return this.#found;
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#changed.dispose();
  }

  async #look(): Promise<void> {
    const { repositories, board, logError } = this.#workbench;
    const hasNone = board.rows.length > 0 && board.rows.every(({ tickets, error }) => tickets.length === 0 && !error);
    if (this.#found || !hasNone || !repositories.trusted || repositories.state !== 'ready') return;
    this.#found = { hasCommits: true, opencode: 'found' };
    try {
      const open = repositories.entries.flatMap((entry) => (entry.kind === 'open' ? [entry.repository] : []));
      const all = await Promise.all(open.map((repository) => repository.readiness()));
      this.#found = {
        hasCommits: all.every(({ hasCommits }) => hasCommits),
        opencode: all.find(({ opencode }) => opencode !== 'found')?.opencode ?? 'found',
      };
      this.#changed.emit();
    } catch (error) {
      logError('readiness', error);
    }
  }
}
