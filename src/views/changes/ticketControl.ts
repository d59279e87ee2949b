import {
  l10n,
  scm,
  type SourceControl,
  type SourceControlResourceGroup,
  type SourceControlResourceState,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { openableFile, nameOf } from '../review/showDiff.ts';
import { plainLabel } from '../shared/plainText.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import { type ChangeLetters, type ShownChange, textOf } from './changeLetters.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { DiffScope, DiffView } from '../../protocol/review.ts';

/** A ticket in the Source Control view, read-only: nothing in it stages or commits. */
export class TicketControl implements Disposable {
  readonly title: string;
  readonly #place: TicketPlace;
  readonly #letters: ChangeLetters;
  readonly #lifetime = new DisposableStore();
  readonly #control: SourceControl;
  readonly #groups = new Map<string, SourceControlResourceGroup>();
  #known: { readonly status: string; readonly diffs: KnownDiffs } | undefined;
  #shown = '';

  constructor(place: TicketPlace, title: string, letters: ChangeLetters) {
    this.#place = place;
    this.#letters = letters;
    this.title = title;
    // With a root, the editor would show the name of its folder in place of the title.
    this.#control = this.#lifetime.add(
      scm.createSourceControl('beadsmith', `${place.ticket} ${plainLabel(title)}`),
    );
    this.#control.inputBox.visible = false;
    this.#control.count = 0;
    // The editor keeps the order in which groups are made.
    for (const id of openIds) this.#group(id, '');
    this.#lifetime.add({ dispose: () => this.#letters.show(this, []) });
  }

  /** Another status may have rewritten the branch. */
  knownIn(status: string): KnownDiffs {
    if (this.#known?.status !== status) this.#known = { status, diffs: new Map() };
    return this.#known.diffs;
  }

  show(groups: readonly ChangedGroup[]): void {
    const shown = JSON.stringify(
      groups.map(({ id, label, view }) => [id, label, view.from, view.to, view.conflicts]),
    );
    // The editor folds and draws again what is set, and this runs while an agent works.
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const [id, group] of this.#groups) {
      if (groups.some((one) => one.id === id)) continue;
      group.resourceStates = [];
      if (openIds.includes(id)) continue;
      group.dispose();
      this.#groups.delete(id);
    }
    const changes = groups.map((group) => ({ group, changes: this.#changes(group) }));
    this.#letters.show(
      this,
      changes.flatMap((one) => one.changes),
    );
    for (const { group: known, changes: shownChanges } of changes) {
      const group = this.#group(known.id, known.label);
      group.label = known.label;
      group.resourceStates = shownChanges.map(resource);
    }
    // As in git's own row, only what isn't committed counts.
    this.#control.count = groups
      .filter(({ id }) => openIds.includes(id))
      .reduce((count, { view }) => count + view.files.length, 0);
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

  #changes({ view }: ChangedGroup): readonly ShownChange[] {
    return view.files.flatMap((file) => {
      const opened = openableFile(this.#place, view, file);
      return opened ? [{ ...opened, view, file }] : [];
    });
  }
}

/** Without an icon: the editor would show it in place of the letter. */
function resource(change: ShownChange): SourceControlResourceState {
  const { uri, command, file } = change;
  return {
    resourceUri: uri,
    command,
    contextValue: file.change,
    decorations: {
      strikeThrough: file.change === 'deleted',
      tooltip: l10n.t('{0}: {1}', plainLabel(file.path), textOf(change)),
    },
  };
}

/** Files that changed together: by one bead, or since the last one, staged or not. */
interface ChangedGroup {
  readonly id: string;
  readonly label: string;
  readonly view: DiffView;
}

/** Uncommitted work, in the order of git's own view. */
const open: Readonly<Record<string, DiffScope>> = {
  staged: { kind: 'staged' },
  unstaged: { kind: 'worktree', since: 'staged' },
};
const openIds = Object.keys(open);

/** A finished bead doesn't change, until its ticket enters another status. */
type KnownDiffs = Map<string, DiffView | undefined>;

/** Uncommitted work first, then the finished beads in the order of the plan. */
export async function changedGroups(
  { repository, ticket }: TicketPlace,
  { coding }: Pick<TicketView, 'coding'>,
  known: KnownDiffs,
): Promise<readonly ChangedGroup[]> {
  const { diffs } = repository.client;
  const { beads } = await repository.client.beads(ticket);
  const groups: ChangedGroup[] = [];
  for (const [id, scope] of Object.entries(open)) {
    const view = await diffs.diff(ticket, scope);
    const name = nameOf(scope);
    const label = coding ? l10n.t('{0}: {1}', name, plainLabel(coding.title)) : name;
    if (view) groups.push({ id, label, view });
  }
  for (const bead of beads.filter(({ status }) => status === 'done')) {
    const view = await finished(bead);
    if (view) groups.push({ id: `bead:${bead.id}`, label: plainLabel(bead.title), view });
  }
  return groups.filter(({ view }) => view.files.length > 0);

  async function finished({ id, beadStartCommit, updatedAt }: Bead): Promise<DiffView | undefined> {
    const key = [id, beadStartCommit, updatedAt].join(' ');
    if (!known.has(key)) known.set(key, await diffs.diff(ticket, { kind: 'bead', bead: id }));
    return known.get(key);
  }
}
