import { type Command, EventEmitter, FileDecoration, l10n, ThemeColor, type Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { DiffFile, DiffView } from '../../protocol/review.ts';
import { changeText } from '../review/showDiff.ts';

/** A file in a group of the Source Control view. */
export interface ShownChange {
  readonly uri: Uri;
  readonly command: Command;
  readonly view: DiffView;
  readonly file: DiffFile;
}

/** Letters beside the files, with git's own colors. */
export class ChangeLetters implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new EventEmitter<Uri[]>());
  readonly #shown = new Map<object, ReadonlyMap<string, ShownChange>>();

  constructor() {
    this.#lifetime.add(
      window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#changed.event,
        provideFileDecoration: (uri) => this.#decoration(uri.toString()),
      }),
    );
  }

  /** In place of what the same owner had. */
  show(owner: object, changes: readonly ShownChange[]): void {
    const before = this.#shown.get(owner)?.values() ?? [];
    if (changes.length === 0) this.#shown.delete(owner);
    else this.#shown.set(owner, new Map(changes.map((change) => [change.uri.toString(), change])));
    this.#changed.fire([...before, ...changes].map(({ uri }) => uri));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #decoration(uri: string): FileDecoration | undefined {
    for (const changes of this.#shown.values()) {
      const change = changes.get(uri);
      if (!change) continue;
      const { letter, color } = looks[kindOf(change)];
      return new FileDecoration(
        letter,
        textOf(change),
        new ThemeColor(`gitDecoration.${color}ResourceForeground`),
      );
    }
    return undefined;
  }
}

/** Words for the letter. */
export function textOf(change: ShownChange): string {
  const kind = kindOf(change);
  if (kind === 'conflict') return l10n.t('in conflict');
  return kind === 'untracked' ? l10n.t('untracked') : changeText(change.file);
}

type Kind = DiffFile['change'] | 'stageModified' | 'stageDeleted' | 'untracked' | 'conflict';

function kindOf({ view: { scope, conflicts }, file: { path, change } }: ShownChange): Kind {
  if (conflicts?.includes(path)) return 'conflict';
  if (scope.kind === 'worktree' && change === 'added') return 'untracked';
  if (scope.kind !== 'staged') return change;
  if (change === 'modified') return 'stageModified';
  return change === 'deleted' ? 'stageDeleted' : change;
}

const looks: Readonly<Record<Kind, { readonly letter: string; readonly color: string }>> = {
  added: { letter: 'A', color: 'added' },
  modified: { letter: 'M', color: 'modified' },
  stageModified: { letter: 'M', color: 'stageModified' },
  deleted: { letter: 'D', color: 'deleted' },
  stageDeleted: { letter: 'D', color: 'stageDeleted' },
  renamed: { letter: 'R', color: 'renamed' },
  untracked: { letter: 'U', color: 'untracked' },
  conflict: { letter: '!', color: 'conflicting' },
};
