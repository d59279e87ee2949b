import { type Command, commands as editor, l10n, Uri, window } from 'vscode';
import type { CommittedScope, DiffFile, DiffScope, DiffView } from '../../protocol/review.ts';
import { plainLabel } from '../shared/plainText.ts';
import { pickOne, valueOf } from '../shared/quickInput.ts';
import type { Target } from '../commands/ticketTarget.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import type { ViewedFiles } from './viewedFiles.ts';
import { blobAddress, diffAddress, parseShownDiff, scopeOf } from './blobAddress.ts';

/** A file before and after a change; undefined where it doesn't exist. */
interface Sides {
  readonly path: string;
  readonly from: Uri | undefined;
  readonly to: Uri | undefined;
}

export async function showDiff(place: TicketPlace, target: Target): Promise<void> {
  const view = await chosenDiff(place, target);
  if (view) await openView(place, view);
}

export async function showScope(place: TicketPlace, scope: DiffScope): Promise<void> {
  const view = await readDiff(place, scope);
  if (view) await openView(place, view);
}

export async function showFileDiff(place: TicketPlace, target: Target): Promise<void> {
  const view = await chosenDiff(place, target);
  const named = view?.files.find(({ path }) => path === target.file);
  const file = named ?? (view && (await pickFile(view)));
  if (!view || !file) return;
  await openDiff(titleOf(place.ticket, view.scope), sidesOf(place, view, file));
}

/** After the last one comes the first. */
export async function showNextFile(place: TicketPlace, target: Target): Promise<void> {
  const view = await readDiff(place, scopeOf(target.bead, target.iteration));
  if (!view) return;
  const shown = target.file ?? focusedFile();
  const at = view.files.findIndex(({ path, oldPath }) => path === shown || oldPath === shown);
  const next = view.files[(at + 1) % view.files.length];
  if (next) await showFile(place, target, view, next);
}

/** The next file is one that isn't viewed. Of a whole ticket nothing is marked: no bead is shown. */
export async function viewAndNext(place: TicketPlace, target: Target, viewed: ViewedFiles): Promise<void> {
  const { bead, commit } = target;
  if (bead === undefined) return showNextFile(place, target);
  const view = await readDiff(place, { kind: 'bead', bead });
  if (!view) return;
  const at = view.files.findIndex(({ path }) => path === (target.file ?? focusedFile()));
  const shown = view.files[at];
  const about = { root: place.repository.root, ticket: place.ticket };
  // Nobody viewed what isn't on the screen.
  if (shown && (commit ?? view.to) === view.to) await viewed.mark(about, bead, shown, true);
  const seen = viewed.of(about);
  const later = [...view.files.slice(at + 1), ...view.files.slice(0, at + 1)];
  const next = later.find((file) => !seen.has(bead, file));
  if (next) await showFile(place, target, view, next);
  else void window.showInformationMessage(l10n.t('You viewed all files of {0}.', bead));
}

/** An editor with several files scrolls to it. */
async function showFile(place: TicketPlace, target: Target, view: DiffView, file: DiffFile): Promise<void> {
  if (target.file === undefined) await openView(place, view, file);
  else await openDiff(titleOf(place.ticket, view.scope), sidesOf(place, view, file));
}

function focusedFile(): string | undefined {
  const uri = window.activeTextEditor?.document.uri;
  return uri && parseShownDiff(uri)?.file;
}

export async function compareIterations(place: TicketPlace, target: Target): Promise<void> {
  const { client, root } = place.repository;
  const bead = target.bead ?? (await pickBead(place));
  const views = bead === undefined ? [] : await iterationsOf(place, bead);
  if (bead === undefined) return;
  if (views.length < 2) {
    void window.showInformationMessage(l10n.t('{0} doesn’t have two iterations to compare.', bead));
    return;
  }
  const to = views.find(({ scope }) => scope.iteration === target.iteration) ?? views.at(-1);
  const others = views.filter((view) => view !== to);
  const from = others.length === 1 ? others[0] : await pickIteration(others);
  if (!from || !to) return;
  const paths = [...new Set([...from.view.files, ...to.view.files].map(({ path }) => path))].sort();
  const { ticket } = place;
  const sides = await Promise.all(
    paths.map(async (path): Promise<readonly Sides[]> => {
      const [before, after] = await Promise.all([
        client.diffs.file(ticket, from.view.to, path),
        client.diffs.file(ticket, to.view.to, path),
      ]);
      if (equal(before, after)) return [];
      const common = { ticket, path };
      const left = { ...common, commit: from.view.to, side: 'old', scope: from.scope } as const;
      const right = { ...common, commit: to.view.to, side: 'new', scope: to.scope } as const;
      return [{ path, from: before && blobUri(root, left), to: after && blobUri(root, right) }];
    }),
  );
  const title = l10n.t(
    '{0}: {1}, iteration {2} and {3}',
    ticket,
    bead,
    from.scope.iteration,
    to.scope.iteration,
  );
  const different = sides.flat();
  const [only] = different;
  if (!only) sayNoDifferences(title);
  else if (different.length === 1 && !(only.from && only.to)) await openDiff(title, only);
  else await openChanges(title, different);
}

async function chosenDiff(place: TicketPlace, target: Target): Promise<DiffView | undefined> {
  if (target.bead !== undefined) return readDiff(place, scopeOf(target.bead, target.iteration));
  return target.scope === undefined ? pickView(place) : orTold(await wholeTicket(place));
}

async function readDiff(
  { repository, ticket }: TicketPlace,
  scope: DiffScope,
): Promise<DiffView | undefined> {
  return orTold(await repository.client.diffs.diff(ticket, scope));
}

function orTold(view: DiffView | undefined): DiffView | undefined {
  if (!view) void window.showInformationMessage(l10n.t('No changes yet.'));
  return view;
}

/** While it is worked on, with what isn't committed yet. */
async function wholeTicket({ repository, ticket }: TicketPlace): Promise<DiffView | undefined> {
  const { diffs } = repository.client;
  return (
    (await diffs.diff(ticket, { kind: 'worktree', since: 'base' })) ??
    (await diffs.diff(ticket, { kind: 'ticket' }))
  );
}

async function pickView(place: TicketPlace): Promise<DiffView | undefined> {
  const { repository, ticket } = place;
  const { beads } = await repository.client.beads(ticket);
  const there = await Promise.all([
    wholeTicket(place),
    ...beads.map(({ id }) => repository.client.diffs.diff(ticket, { kind: 'bead', bead: id })),
  ]);
  const choices = there.flatMap((value) =>
    value ? [{ label: nameOf(value.scope), description: countText(value.files.length), value }] : [],
  );
  if (choices.length === 0) {
    void window.showInformationMessage(l10n.t('{0} has no changes yet.', ticket));
    return undefined;
  }
  return valueOf(await pickOne({ title: l10n.t('Select the changes of {0} to show', ticket), choices }));
}

async function pickFile(view: DiffView): Promise<DiffFile | undefined> {
  const [only] = view.files;
  if (view.files.length === 1) return only;
  const choices = view.files.map((value) => ({
    label: plainLabel(value.path),
    description: changeText(value),
    value,
  }));
  return valueOf(await pickOne({ title: l10n.t('Select a file'), choices }));
}

/** `done`: only what is finished. */
export async function pickBead(
  { repository, ticket }: TicketPlace,
  done = false,
): Promise<string | undefined> {
  const beads = (await repository.client.beads(ticket)).beads.filter(
    ({ status }) => !done || status === 'done',
  );
  if (beads.length === 0) {
    void window.showInformationMessage(
      done ? l10n.t('{0} has no finished bead yet.', ticket) : l10n.t('{0} has no beads yet.', ticket),
    );
    return undefined;
  }
  const choices = beads.map(({ id, title }) => ({ label: plainLabel(title), description: id, value: id }));
  return valueOf(await pickOne({ title: l10n.t('Select a bead'), choices }));
}

type IterationDiff = { readonly scope: Extract<DiffScope, { kind: 'iteration' }>; readonly view: DiffView };

async function iterationsOf(
  { repository, ticket }: TicketPlace,
  id: string,
): Promise<readonly IterationDiff[]> {
  const bead = (await repository.client.beads(ticket)).beads.find((one) => one.id === id);
  const numbers = Array.from({ length: bead?.iteration ?? 0 }, (_, index) => index + 1);
  const views = await Promise.all(
    numbers.map(async (iteration): Promise<readonly IterationDiff[]> => {
      const scope = { kind: 'iteration', bead: id, iteration } as const;
      const view = await repository.client.diffs.diff(ticket, scope);
      return view ? [{ scope, view }] : [];
    }),
  );
  return views.flat();
}

async function pickIteration(views: readonly IterationDiff[]): Promise<IterationDiff | undefined> {
  const choices = views.map((value) => ({
    label: nameOf(value.scope),
    description: countText(value.view.files.length),
    value,
  }));
  return valueOf(await pickOne({ title: l10n.t('Select the iteration to compare with'), choices }));
}

/** A file of a diff in lists: where it is, and what opens it. */
export function openableFile(
  place: TicketPlace,
  view: DiffView,
  file: DiffFile,
): { readonly uri: Uri; readonly command: Command } | undefined {
  const sides = sidesOf(place, view, file);
  const uri = sides.to ?? sides.from;
  const command = openCommand(titleOf(place.ticket, view.scope), sides);
  return uri && command && { uri, command };
}

function sidesOf({ repository, ticket }: TicketPlace, view: DiffView, file: DiffFile): Sides {
  const { from, to } = view;
  const { path, oldPath, change } = file;
  const scope = addressed(view.scope);
  const left = { ticket, path: oldPath ?? path, commit: from, side: 'old', scope } as const;
  const right = { ticket, path, commit: to, side: 'new', scope } as const;
  return {
    path,
    from: change === 'added' ? undefined : blobUri(repository.root, left),
    to: change === 'deleted' ? undefined : blobUri(repository.root, right),
  };
}

function blobUri(...address: Parameters<typeof blobAddress>): Uri {
  return Uri.from(blobAddress(...address));
}

async function openView(place: TicketPlace, view: DiffView, reveal?: DiffFile): Promise<void> {
  const title = titleOf(place.ticket, view.scope);
  const sides = view.files.map((file) => sidesOf(place, view, file));
  const [only] = sides;
  if (!only) {
    sayNoDifferences(title);
    return;
  }
  if (sides.length === 1 && !(only.from && only.to)) return openDiff(title, only);
  const { root } = place.repository;
  const scope = addressed(view.scope);
  const source = Uri.from(diffAddress(root, { ticket: place.ticket, scope, commit: view.to }));
  const revealed = sides.find(({ path }) => path === reveal?.path)?.to;
  // Git shows stashes by this command: only its editors have an address, by which menus know them.
  await editor
    .executeCommand('_workbench.openMultiDiffEditor', {
      title,
      multiDiffSourceUri: source,
      resources: sides.map(({ from, to }) => ({ originalUri: from, modifiedUri: to })),
      ...(revealed ? { reveal: { modifiedUri: revealed } } : {}),
    })
    .then(undefined, () => openChanges(title, sides));
}

/** The editor marks a file without a left side as added, and one without a right side as deleted. */
async function openChanges(title: string, sides: readonly Sides[]): Promise<void> {
  const resources = sides.map(({ from, to }) => [to ?? from, from, to]);
  await editor.executeCommand('vscode.changes', title, resources);
}

function sayNoDifferences(title: string): void {
  void window.showInformationMessage(l10n.t('{0}: no differences.', title));
}

/** Comments on uncommitted work belong to the ticket: they are found again by the text of their lines. */
function addressed(scope: DiffScope): CommittedScope {
  return scope.kind === 'worktree' || scope.kind === 'staged' ? { kind: 'ticket' } : scope;
}

async function openDiff(title: string, sides: Sides): Promise<void> {
  const { command, arguments: given = [] } = openCommand(title, sides) ?? {};
  if (command !== undefined) await editor.executeCommand(command, ...(given as readonly unknown[]));
}

/**
 * An added or deleted file opens as a plain document: a diff against an empty one shows a half without
 * content.
 */
function openCommand(about: string, { path, from, to }: Sides): Command | undefined {
  const name = path.split('/').at(-1) ?? path;
  const title = l10n.t('Open Changes');
  if (from && to)
    return { title, command: 'vscode.diff', arguments: [from, to, l10n.t('{0} ({1})', name, about)] };
  const shown = to
    ? { uri: to, label: l10n.t('{0} ({1}, added)', name, about) }
    : from && { uri: from, label: l10n.t('{0} ({1}, deleted)', name, about) };
  return shown && { title, command: 'vscode.open', arguments: [shown.uri, {}, shown.label] };
}

function titleOf(ticket: string, scope: DiffScope): string {
  return scope.kind === 'ticket' ? ticket : l10n.t('{0}: {1}', ticket, nameOf(scope));
}

export function nameOf(scope: DiffScope): string {
  switch (scope.kind) {
    case 'ticket':
      return l10n.t('The whole ticket');
    case 'worktree':
      return scope.since === 'base'
        ? l10n.t('The whole ticket, with uncommitted changes')
        : l10n.t('Changes');
    case 'staged':
      return l10n.t('Staged Changes');
    case 'bead':
      return scope.bead;
    case 'iteration':
      return l10n.t('{0}, iteration {1}', scope.bead, scope.iteration);
  }
}

function countText(files: number): string {
  return files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files);
}

export function changeText({ change, oldPath }: DiffFile): string {
  const texts = {
    added: l10n.t('added'),
    modified: l10n.t('modified'),
    deleted: l10n.t('deleted'),
    renamed: l10n.t('moved from {0}', oldPath ?? ''),
  };
  return texts[change];
}

function equal(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a?.length === b?.length && (a ?? []).every((byte, index) => byte === b?.[index]);
}
