import {
  l10n,
  scm,
  type SourceControl,
  type SourceControlResourceGroup,
  type SourceControlResourceState,
  ThemeColor,
  ThemeIcon,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { DiffFile } from '../../protocol/review.ts';
import { changeText, openableFile } from '../review/showDiff.ts';
import { plainLabel } from '../shared/plainText.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { type ChangedGroup, type KnownDiffs, uncommittedId } from './changedGroups.ts';

/** A ticket in the Source Control view, read-only: nothing in it stages or commits. */
export class TicketControl implements Disposable {
  readonly title: string;
  readonly #place: TicketPlace;
  readonly #lifetime = new DisposableStore();
  readonly #control: SourceControl;
  readonly #groups = new Map<string, SourceControlResourceGroup>();
  #known: { readonly status: string; readonly diffs: KnownDiffs } | undefined;
  #shown = '';

  constructor(place: TicketPlace, title: string) {
    this.#place = place;
    this.title = title;
    // With a root, the editor would show the name of its folder in place of the title.
    this.#control = this.#lifetime.add(
      scm.createSourceControl('beadsmith', `${place.ticket} ${plainLabel(title)}`),
    );
    this.#control.inputBox.visible = false;
    this.#control.count = 0;
    // The editor keeps the order in which groups are made.
    this.#group(uncommittedId, '');
  }

  /** Another status may have rewritten the branch. */
  knownIn(status: string): KnownDiffs {
    if (this.#known?.status !== status) this.#known = { status, diffs: new Map() };
    return this.#known.diffs;
  }

  show(groups: readonly ChangedGroup[]): void {
    const shown = JSON.stringify(groups.map(({ id, label, view }) => [id, label, view.from, view.to]));
    // The editor folds and draws again what is set, and this runs while an agent works.
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const [id, group] of this.#groups) {
      if (groups.some((one) => one.id === id)) continue;
      group.resourceStates = [];
      if (id === uncommittedId) continue;
      group.dispose();
      this.#groups.delete(id);
    }
    for (const { id, label, view } of groups) {
      const group = this.#group(id, label);
      group.label = label;
      group.resourceStates = view.files.flatMap((file) => this.#resource(view, file));
    }
    // As in git's own row, only what isn't committed counts.
    this.#control.count = groups.find(({ id }) => id === uncommittedId)?.view.files.length ?? 0;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #group(id: string, label: string): SourceControlResourceGroup {
    const known = this.#groups.get(id);
    if (known) return known;
    const group = this.#lifetime.add(this.#control.createResourceGroup(id, label));
    group.hideWhenEmpty = true;
    this.#groups.set(id, group);
    return group;
  }

  #resource(view: ChangedGroup['view'], file: DiffFile): readonly SourceControlResourceState[] {
    const opened = openableFile(this.#place, view, file);
    if (!opened) return [];
    const { icon, color } = looks[file.change];
    return [
      {
        resourceUri: opened.uri,
        command: opened.command,
        contextValue: file.change,
        decorations: {
          strikeThrough: file.change === 'deleted',
          iconPath: new ThemeIcon(icon, new ThemeColor(color)),
          tooltip: l10n.t('{0}: {1}', plainLabel(file.path), changeText(file)),
        },
      },
    ];
  }
}

const looks: Readonly<Record<DiffFile['change'], { readonly icon: string; readonly color: string }>> = {
  added: { icon: 'diff-added', color: 'charts.green' },
  modified: { icon: 'diff-modified', color: 'charts.yellow' },
  deleted: { icon: 'diff-removed', color: 'charts.red' },
  renamed: { icon: 'diff-renamed', color: 'charts.blue' },
};
